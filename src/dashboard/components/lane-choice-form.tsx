/** The form that says where questions may go, of an account or of a key. */
import type { ComponentChildren } from 'preact';
import { type LaneChoice, type LaneName, laneNames } from '../../lane-choice.ts';
import { Form } from './form.tsx';
import { LANE_BOX, tickedLanes } from './lane-boxes.ts';

export interface LaneChoiceFormProps {
  action: string;
  token: string;
  lanes: LaneChoice;
  /** What stands beside the button. */
  children?: ComponentChildren;
}

const labels: Record<LaneName, string> = {
  arxiv: 'arXiv',
  semantic_scholar: 'Semantic Scholar',
  web: 'The web lane: Crossref, or whichever other provider the operator has set',
};

export function LaneChoiceForm({ action, token, lanes, children }: LaneChoiceFormProps) {
  const ticked = tickedLanes(lanes);
  return (
    <Form action={action} token={token}>
      <fieldset aria-describedby="lanes-hint">
        <legend>A question that the index cannot answer may go to</legend>
        {laneNames.map((lane) => (
          <label key={lane} class="box">
            <input type="checkbox" name={LANE_BOX} value={lane} checked={ticked.includes(lane)} />
            {labels[lane]}
          </label>
        ))}
      </fieldset>
      <p class="hint" id="lanes-hint">
        With no box ticked, no question leaves this server. E-mail addresses and telephone numbers
        are always taken out first.
      </p>
      <div class="row">
        <button class="button" type="submit">
          Set lanes
        </button>
        {children}
      </div>
    </Form>
  );
}
