/** The keys of the page Keys, with a form that searches and sorts them, and links to other pages. */

import { linkTo } from '../page/filter-fields.ts';
import { type KeyPage, keySorts } from '../page/key-page.ts';
import { PlainLink } from './button.tsx';
import { Card } from './card.tsx';
import { Field, optionsOf, Select } from './field.tsx';
import { FilterForm } from './filter-form.tsx';
import { KeyActions, KeyTable, type ServerLimits } from './key-table.tsx';

const PATH = '/dashboard/keys';
/** So many are found by looking. */
const UNFILTERED_MAX = 10;

export interface KeyListProps {
  list: KeyPage;
  now: number;
  limits: ServerLimits;
}

export function KeyList({ list, now, limits }: KeyListProps) {
  const { keys, showsEnded, inUseCount, endedCount, fields } = list;
  const title = showsEnded ? 'Revoked and expired keys' : 'Active keys';
  return (
    <Card id="key-list" title={title}>
      {(showsEnded ? endedCount : inUseCount) > UNFILTERED_MAX ? (
        <FilterForm action={PATH}>
          {showsEnded ? <input type="hidden" name="state" value="ended" /> : null}
          <Field label="Name or prefix" name="q" type="search" value={fields.q} />
          <Select label="Sort by" name="sort" value={fields.sort} options={optionsOf(keySorts)} />
        </FilterForm>
      ) : null}
      {keys.length === 0 ? (
        <p class="soft">
          {fields.q === undefined ? 'There are none.' : 'No key has this name or prefix.'}
        </p>
      ) : (
        <KeyTable
          caption={title}
          keys={keys}
          now={now}
          limits={limits}
          {...(showsEnded ? {} : { actions: (key) => <KeyActions key={key.id} apiKey={key} /> })}
        />
      )}
      <Pager list={list} />
      {showsEnded ? <a href={PATH}>Active keys ({inUseCount})</a> : null}
      {showsEnded || endedCount === 0 ? null : (
        <a href={linkTo(PATH, { state: 'ended' })}>Revoked and expired keys ({endedCount})</a>
      )}
    </Card>
  );
}

function Pager({ list: { page, pagesCount, fields } }: { list: KeyPage }) {
  if (pagesCount === 1) return null;
  const linkToPage = (number: number): string => linkTo(PATH, { ...fields, page: String(number) });
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 ? <PlainLink href={linkToPage(page - 1)}>Previous</PlainLink> : <span />}
      <span class="soft">
        Page {page} of {pagesCount}
      </span>
      {page < pagesCount ? <PlainLink href={linkToPage(page + 1)}>Next</PlainLink> : <span />}
    </nav>
  );
}
