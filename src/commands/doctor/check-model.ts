/** The model: its files by their hashes, and whether it embeds a text. */

import { messageOf } from '../../errors.ts';
import { createEmbedder } from '../../text/embed/embedder.ts';
import { loadModel } from '../../text/embed/model.ts';
import { type Check, error, ok } from './check.ts';

const TEXT = 'does sleep help memory';

export const checkModel: Check = {
  name: 'model',
  async run({ settings }) {
    try {
      const model = loadModel(settings.model);
      const query = await (await createEmbedder(model.queryEncoder)).embedQuery(TEXT);
      const [document] = await (await createEmbedder(model)).embedDocuments([TEXT]);
      const isSound = [query.vector, document].every((vector) => vector?.every(Number.isFinite));
      if (isSound) return [ok(`${model.name} in ${model.folder}`)];
      return [error(`${model.name} returns no numbers`, 'use another machine or another model')];
    } catch (cause) {
      return [error(messageOf(cause), 'install Verbatim again, or name a model with --model')];
    }
  },
};
