/** Parses the XML response of a lane. */
import { messageOf } from '../../errors.ts';
import { parseXmlTree, type XmlElement } from '../../text/xml-tree.ts';
import { LaneFailure } from '../lane/lane-errors.ts';

/** The root element. Throws `bad_answer` for malformed XML, too many levels, or a DOCTYPE. */
export function parseXml(text: string, depthMax: number): XmlElement {
  try {
    return parseXmlTree(text, depthMax);
  } catch (error) {
    throw new LaneFailure('bad_answer', messageOf(error));
  }
}
