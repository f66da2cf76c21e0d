/** Cuts a query in three at the column of an error, to show where the reading stopped. */

export interface ErrorPlace {
  before: string;
  /** The character, or a blank if the query ended too soon. */
  at: string;
  after: string;
}

/** `column` counts characters from 1, as the server does, not UTF-16 units. `null` if it is not in the query. */
export function errorPlace(query: string, column: number | null): ErrorPlace | null {
  const chars = [...query];
  if (column === null || column < 1 || column > chars.length + 1) return null;
  return {
    before: chars.slice(0, column - 1).join(""),
    at: chars[column - 1] ?? " ",
    after: chars.slice(column).join(""),
  };
}
