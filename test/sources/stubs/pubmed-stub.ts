/**
 * A stub of NLM's server of PubMed files, after pubmed.ncbi.nlm.nih.gov/download and the README.txt of
 * ftp.ncbi.nlm.nih.gov/pubmed/baseline (read in November 2026): listings as HTML, gzip files, and their
 * MD5 in the form of OpenSSL.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type StubAnswer, type StubServer, startStub } from '../../support/lanes/stub-server.ts';

/** The PMIDs of the articles in a file; a negative one deletes its article. */
export type PubmedFile = readonly number[];

export interface PubmedStub extends StubServer {
  /** By folder and name, such as `baseline/pubmed26n0001.xml.gz`. */
  files: Map<string, PubmedFile>;
  /** Titles that differ from those that the articles usually have, by PMID. */
  titles: Map<number, string>;
  /** Answers to the next requests for a path below the address, before what is right. */
  faults: Map<string, StubAnswer[]>;
  /** Puts a whole year in place of what is there. */
  publish(year: string, baseline: readonly PubmedFile[], updates: readonly PubmedFile[]): void;
  /** The paths of the requests since the last call, without `/pubmed/`. */
  asked(): string[];
}

export async function startPubmed(): Promise<PubmedStub> {
  const files: PubmedStub['files'] = new Map();
  const titles: PubmedStub['titles'] = new Map();
  const faults: PubmedStub['faults'] = new Map();
  let first = 0;
  const stub = await startStub(({ path: asked }) => {
    const path = asked.replace(/^\/(pubmed|moved)\//, '');
    const fault = faults.get(path)?.shift();
    if (fault !== undefined) return fault;
    if (path.endsWith('/')) return listing(path, [...files.keys()]);
    const file = files.get(path.replace(/\.md5$/, ''));
    if (file === undefined) return { status: 404, body: 'not found' };
    const body = gzipSync(fileXml(file, titles));
    if (!path.endsWith('.md5')) return { headers: { 'content-type': 'application/x-gzip' }, body };
    const name = path.replace(/.*\/|\.md5$/g, '');
    return { body: `MD5(${name})= ${createHash('md5').update(body).digest('hex')}\n` };
  });
  return Object.assign(stub, {
    files,
    titles,
    faults,
    publish(year: string, baseline: readonly PubmedFile[], updates: readonly PubmedFile[]) {
      files.clear();
      for (const [at, file] of [...baseline, ...updates].entries()) {
        const folder = at < baseline.length ? 'baseline' : 'updatefiles';
        files.set(`${folder}/pubmed${year}n${String(at + 1).padStart(4, '0')}.xml.gz`, file);
      }
    },
    asked() {
      const since = stub.requests.slice(first);
      first = stub.requests.length;
      return since.map(({ path }) => path.replace(/^\/pubmed\//, ''));
    },
  });
}

function listing(folder: string, paths: readonly string[]): StubAnswer {
  const names = paths
    .filter((path) => path.startsWith(folder))
    .map((path) => path.slice(folder.length));
  const links = names.flatMap((name) => [name, `${name}.md5`]);
  const lines = links.map((name) => `<a href="${name}">${name}</a>   2026-01-29 14:48   19M`);
  return {
    headers: { 'content-type': 'text/html' },
    body: `<html><head><title>Index of /pubmed/${folder}</title></head><body>
<pre>Name   Last modified   Size<hr><a href="/pubmed/">Parent Directory</a>   -
<a href="README.txt">README.txt</a>   2026-01-30 09:54   4.5K
${lines.reverse().join('\n')}
</pre></body></html>`,
  };
}

function fileXml(file: PubmedFile, titles: PubmedStub['titles']): string {
  const deleted = file
    .filter((pmid) => pmid < 0)
    .map((pmid) => `<PMID Version="1">${-pmid}</PMID>`);
  const deletion = deleted.length > 0 ? `<DeleteCitation>${deleted.join('')}</DeleteCitation>` : '';
  return `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE PubmedArticleSet SYSTEM "http://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet>${file
    .filter((pmid) => pmid > 0)
    .map((pmid) => articleXml(pmid, titles.get(pmid)))
    .join('\n')}${deletion}</PubmedArticleSet>`;
}

function articleXml(pmid: number, title = `A study of tides on island number ${pmid}.`): string {
  return `<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">${pmid}</PMID>
<DateRevised><Year>2025</Year><Month>11</Month><Day>01</Day></DateRevised>
<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Print"><PubDate><Year>2024</Year></PubDate></JournalIssue>
<Title>Journal of tides</Title></Journal><ArticleTitle>${title}</ArticleTitle>
<Abstract><AbstractText>The tide on island ${pmid} rises by ${pmid} meters.</AbstractText></Abstract>
<Language>eng</Language></Article></MedlineCitation></PubmedArticle>`;
}
