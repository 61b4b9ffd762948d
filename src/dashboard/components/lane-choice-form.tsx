/** The form that says where questions may go, of an account or of a key. */

import type { ComponentChildren } from 'preact';
import { allowedLanes, type LaneChoice, type LaneName, laneNames } from '../../lane-choice.ts';
import { Form } from './form.tsx';

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

/** The name that all boxes share. */
export const LANE_BOX = 'lane';

/** The lanes whose boxes are ticked. */
export function tickedLanes(choice: LaneChoice): LaneName[] {
  return allowedLanes([choice]);
}

/** The choice of a form that was sent. With all boxes ticked it restricts nothing: null. */
export function choiceOfForm(form: URLSearchParams): LaneChoice {
  const ticked = laneNames.filter((lane) => form.getAll(LANE_BOX).includes(lane));
  if (ticked.length === laneNames.length) return null;
  return ticked.length === 0 ? 'none' : ticked.join(',');
}
