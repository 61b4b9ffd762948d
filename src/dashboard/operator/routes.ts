/** The table of the operator's pages by path. */
import type { OperatorPage } from './page/operator-call.ts';
import { nowPage } from './pages/now.tsx';

type Handlers = Omit<OperatorPage, 'path'>;

const table: Readonly<Record<string, Handlers>> = {
  '/operator': { get: nowPage },
};

export const operatorPages: readonly OperatorPage[] = Object.entries(table).map(
  ([path, handlers]) => ({ path, ...handlers }),
);
