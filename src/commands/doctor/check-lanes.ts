/** The fallback lanes: do they have what they need, and, with `--online`, do they answer? */
import { messageOf } from '../../errors.ts';
import { chosenLanes } from '../../lanes/lane-settings.ts';
import { splitSentences } from '../../text/split-sentences.ts';
import { type Check, type CheckContext, error, type Finding, ok } from './check.ts';

/** Every provider has papers about this. */
const QUESTION = 'does sleep help memory consolidation';

export const checkLanes: Check = {
  name: 'lanes',
  run(context) {
    const { settings, isOnline } = context;
    try {
      const lanes = chosenLanes(settings).map(({ lane }) => lane);
      if (lanes.length === 0) return [ok('none')];
      return isOnline ? ask(context) : [ok(`${lanes.join(', ')}; --online asks them`)];
    } catch (cause) {
      return [error(messageOf(cause), 'change the setting; see: verbatim config')];
    }
  },
};

async function ask({ settings }: CheckContext): Promise<Finding[]> {
  const { createLanes } = await import('../../lanes/create-lanes.ts');
  const lanes = createLanes({ settings, split: splitSentences, isCheck: true });
  try {
    const deadline = performance.now() + settings.requestTimeoutMs;
    const { reports } = await lanes.ask(QUESTION, deadline);
    return reports.map(({ provider, outcome, reason }) =>
      outcome === 'answered'
        ? ok(`${provider} answers`)
        : error(`${provider}: ${outcome} ${reason}`, 'see its answer: verbatim lanes check'),
    );
  } finally {
    await lanes.close();
  }
}
