/** What is said of a calibrated threshold, by `calibrate` and `index reembed`. */
import type { Calibration } from '../../search/eval/calibration.ts';

/** How sure the best threshold is, and what to set, in lines. */
export function describeCertainty({
  best: { threshold },
  interval: { low, high },
  inDomain,
  outOfDomain,
  isFromTitles,
  isReliable,
}: Calibration): string[] {
  const asked = isFromTitles ? 'titles of the index' : 'questions';
  const others = `${outOfDomain.questions} questions of other fields`;
  const of = `${inDomain.questions} ${asked} and ${others}`;
  return [
    `with 95 % probability between ${low} and ${high}, from ${of}`,
    ...(isReliable
      ? []
      : ['do not rely on it: the questions are too few, or confidence hardly tells them apart']),
    ...(isFromTitles
      ? ['titles are no questions: calibrate again with those of your customers']
      : []),
    ...(isReliable ? [`set: VERBATIM_LANE_CONFIDENCE=${threshold.toFixed(2)}`] : []),
  ];
}
