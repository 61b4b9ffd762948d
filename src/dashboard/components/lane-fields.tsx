/** The lanes that may receive questions, of an account or a key, as fields of a form. */
import {
  allowedLanes,
  type LaneChoice,
  type LaneName,
  laneNames,
} from '../../settings/lane-choice.ts';

const labels: Record<LaneName, string> = {
  arxiv: 'arXiv',
  semantic_scholar: 'Semantic Scholar',
  web: 'Web lane: Crossref, or another provider chosen by the operator',
};

/** The name of all lane checkboxes. */
const LANE_BOX = 'lane';

export function LaneFields({ lanes }: { lanes: LaneChoice }) {
  const allowed = allowedLanes([lanes]);
  return (
    <>
      <fieldset aria-describedby="lanes-hint">
        <legend>If the index has no close match, send the question to</legend>
        {laneNames.map((lane) => (
          <label key={lane} class="box">
            <input type="checkbox" name={LANE_BOX} value={lane} checked={allowed.includes(lane)} />
            {labels[lane]}
          </label>
        ))}
      </fieldset>
      <p class="hint" id="lanes-hint">
        If you select nothing, no question leaves this server. E-mail addresses and phone numbers
        are always removed first.
      </p>
    </>
  );
}

/** Returns the choice of a submitted form. All boxes checked means no restriction: null. */
export function choiceOfForm(form: URLSearchParams): LaneChoice {
  const checked = laneNames.filter((lane) => form.getAll(LANE_BOX).includes(lane));
  if (checked.length === laneNames.length) return null;
  return checked.length === 0 ? 'none' : checked.join(',');
}
