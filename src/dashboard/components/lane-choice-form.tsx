/** A form for the lanes that may receive questions, of an account or a key. */

import type { ComponentChildren } from 'preact';
import {
  allowedLanes,
  type LaneChoice,
  type LaneName,
  laneNames,
} from '../../settings/lane-choice.ts';
import { Submit } from './button.tsx';
import { Form } from './form.tsx';

export interface LaneChoiceFormProps {
  action: string;
  token: string;
  lanes: LaneChoice;
  /** Content beside the button. */
  children?: ComponentChildren;
}

const labels: Record<LaneName, string> = {
  arxiv: 'arXiv',
  semantic_scholar: 'Semantic Scholar',
  web: 'Web lane: Crossref, or another provider chosen by the operator',
};

export function LaneChoiceForm({ action, token, lanes, children }: LaneChoiceFormProps) {
  const selected = checkedLanes(lanes);
  return (
    <Form action={action} token={token}>
      <fieldset aria-describedby="lanes-hint">
        <legend>If the index has no close match, send the question to</legend>
        {laneNames.map((lane) => (
          <label key={lane} class="box">
            <input type="checkbox" name={LANE_BOX} value={lane} checked={selected.includes(lane)} />
            {labels[lane]}
          </label>
        ))}
      </fieldset>
      <p class="hint" id="lanes-hint">
        If you select nothing, no question leaves this server. E-mail addresses and phone numbers
        are always removed first.
      </p>
      <div class="row">
        <Submit>Save lanes</Submit>
        {children}
      </div>
    </Form>
  );
}

/** The name of all lane checkboxes. */
const LANE_BOX = 'lane';

/** Returns the lanes whose boxes are checked. */
export function checkedLanes(choice: LaneChoice): LaneName[] {
  return allowedLanes([choice]);
}

/** Returns the choice of a submitted form. All boxes checked means no restriction: null. */
export function choiceOfForm(form: URLSearchParams): LaneChoice {
  const checked = laneNames.filter((lane) => form.getAll(LANE_BOX).includes(lane));
  if (checked.length === laneNames.length) return null;
  return checked.length === 0 ? 'none' : checked.join(',');
}
