/** Between a choice of lanes and the boxes of a form. Pure. */
import { allowedLanes, type LaneChoice, type LaneName, laneNames } from '../../lane-choice.ts';

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
