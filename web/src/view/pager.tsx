/** Leafs through the pages of a list. */
import { BackIcon, FirstIcon, ForwardIcon, LastIcon } from "./icons";
import { count } from "./text";

interface Props {
  page: number;
  pages: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
}

export function Pager({ page, pages, pageSize, total, onPage }: Props) {
  if (pages <= 1) return null;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  const go = (to: number) => () => {
    const wanted = Math.min(Math.max(to, 1), pages);
    if (wanted !== page) onPage(wanted);
  };
  return (
    <nav class="pager" aria-label="Pages of the list">
      <button type="button" aria-disabled={page <= 1} onClick={go(1)} title="First page">
        <FirstIcon />
        <span class="for-ears">First page</span>
      </button>
      <button type="button" aria-disabled={page <= 1} onClick={go(page - 1)} title="Previous page">
        <BackIcon />
        <span class="for-ears">Previous page</span>
      </button>
      <span class="place">
        {first <= total ? `${count(first)}–${count(last)}` : "–"} of {count(total)}
      </span>
      <button type="button" aria-disabled={page >= pages} onClick={go(page + 1)} title="Next page">
        <ForwardIcon />
        <span class="for-ears">Next page</span>
      </button>
      <button type="button" aria-disabled={page >= pages} onClick={go(pages)} title="Last page">
        <LastIcon />
        <span class="for-ears">Last page</span>
      </button>
    </nav>
  );
}
