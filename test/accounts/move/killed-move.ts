/**
 * A process that moves accounts and kills itself: at a step, or during the copy.
 *
 *   node killed-move.mjs FOLDER ADDRESS DIRECTION STEP
 */
import { type Direction, move, storeAt } from './world.ts';

const [folder = '', url = '', direction = '', fatal = ''] = process.argv.slice(2);
const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  // The signal arrives before anything else happens.
  for (;;);
};

await move(
  { url, store: storeAt(folder), direction: direction as Direction },
  {
    onStep(step) {
      if (step === fatal) die();
    },
    onRows(done, total) {
      if (fatal === 'copying' && done > total / 4) die();
      if (fatal === 'comparing' && done > (total * 3) / 4) die();
    },
  },
);
