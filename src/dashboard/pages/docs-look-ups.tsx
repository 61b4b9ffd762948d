/** The sections of /docs about verification, papers by their ids, and similar papers. */
import { Table } from '../components/docs-table.tsx';
import { Snippets } from '../components/snippet.tsx';
import { requestExamples } from '../docs/examples.ts';
import {
  paperFields,
  paperFormats,
  paperParameters,
  similarParameters,
  verifyFields,
} from '../docs/look-up-tables.ts';

export function LookUps({ base }: { base: string }) {
  return (
    <>
      <section id="verify">
        <h2>Verify</h2>
        <p class="measure">
          <code>POST /v1/verify</code> compares up to 20 quotes and references with the index. A
          call costs 1 credit; it is free if nothing could be said of any item.
        </p>
        <Table table={verifyFields} />
        <Snippets examples={requestExamples('verify', base)} />
      </section>
      <section id="papers">
        <h2>Papers</h2>
        <p class="measure">
          <code>GET /v1/paper</code> returns papers by any identifier for 1 credit a call. It is
          free if no paper is found.
        </p>
        <Table table={paperParameters} />
        <Table table={paperFormats} />
        <Table table={paperFields} />
        <Snippets examples={requestExamples('paper', base)} />
      </section>
      <section id="similar">
        <h2>Similar papers</h2>
        <p class="measure">
          <code>GET /v1/similar</code> returns the papers that are most similar to one, for 1
          credit, with the fields of a search. It is free if the index does not have the paper.
        </p>
        <Table table={similarParameters} />
        <Snippets examples={requestExamples('similar', base)} />
      </section>
    </>
  );
}
