/** A paper as `GET /v1/paper` returns it. Pure. */
import { paperAddress } from '../../identity/paper-address.ts';
import type { Citation, Notice } from '../../types.ts';
import { formatCitation } from '../format-citation.ts';
import { factFieldsOf } from '../result-extras.ts';
import type { CitationLists } from './citation-lists.ts';
import type { FoundPaper, FoundPapers } from './find-papers.ts';

/** What is absent where no record tells it. */
type Facts = Pick<
  Citation,
  'type' | 'open_access' | 'open_access_url' | 'citation_count' | 'retraction'
>;

const factNames = ['type', 'open_access', 'citation_count', 'retraction'] as const;

/** The fields have the names that they have in a search result. */
export interface DescribedPaper
  extends Facts,
    CitationLists,
    Required<Pick<Citation, 'd' | 't' | 'y' | 'ab' | 'authors' | 'venue' | 'identifiers'>> {
  /** The id of the request. */
  asked: string;
  /** Absent if the id has no address. */
  url?: string;
  /** The paper as one line of a list of references. */
  citation: string;
  /** Absent if nothing was announced about it. */
  notices?: Notice[];
}

export interface DescribedPapers {
  n: number;
  papers: DescribedPaper[];
  /** The ids that no paper has. */
  unknown: string[];
}

export function describePapers({ found, unknown }: FoundPapers): DescribedPapers {
  const papers = found.map(describePaper);
  return { n: papers.length, papers, unknown };
}

function describePaper({ asked, paper, lists }: FoundPaper): DescribedPaper {
  const { id, title, year, authors, venue, identifiers, abstract, notices } = paper;
  const url = paperAddress(id);
  const described: DescribedPaper = {
    asked,
    d: id,
    t: title,
    y: year,
    authors,
    venue,
    ab: abstract,
    identifiers,
    citation: formatCitation(paper, url),
  };
  if (url !== undefined) described.url = url;
  if (notices.length > 0) described.notices = notices;
  for (const name of factNames) Object.assign(described, factFieldsOf(name, paper));
  return Object.assign(described, lists);
}
