/** The buttons under the board. The keys that do the same are handled in `keys.ts`. */
import { BackIcon, FirstIcon, FlipIcon, ForwardIcon, LastIcon } from "./icons";

export interface Steps {
  first: () => void;
  back: () => void;
  forward: () => void;
  last: () => void;
  flip: () => void;
}

interface Props {
  steps: Steps;
  isAtStart: boolean;
  isAtEnd: boolean;
}

export function Controls({ steps, isAtStart, isAtEnd }: Props) {
  // No toolbar, in which the arrow keys would have to move the focus: here they step through the moves.
  // `aria-disabled`, not `disabled`: a button that vanishes under the finger that presses it loses the focus.
  return (
    <fieldset class="controls" aria-label="Moves">
      <button type="button" title="First position (Home)" aria-disabled={isAtStart} onClick={steps.first}>
        <FirstIcon />
        <span class="for-ears">First position</span>
      </button>
      <button type="button" title="Back (←)" aria-disabled={isAtStart} onClick={steps.back}>
        <BackIcon />
        <span class="for-ears">Back</span>
      </button>
      <button type="button" title="Forward (→)" aria-disabled={isAtEnd} onClick={steps.forward}>
        <ForwardIcon />
        <span class="for-ears">Forward</span>
      </button>
      <button type="button" title="Last position (End)" aria-disabled={isAtEnd} onClick={steps.last}>
        <LastIcon />
        <span class="for-ears">Last position</span>
      </button>
      <button type="button" title="Flip the board (f)" onClick={steps.flip}>
        <FlipIcon />
        <span class="for-ears">Flip the board</span>
      </button>
    </fieldset>
  );
}
