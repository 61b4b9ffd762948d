/** The authors of a JATS article: persons, groups, names in several scripts. Pure. */
import { childOf, childrenOf, textOf, type XmlElement } from '../xml/element.ts';

/** Their names in order; editors and the members of a group are left out. */
export function jatsAuthors(meta: XmlElement | undefined): string[] {
  return childrenOf(meta, 'contrib-group')
    .filter(({ attributes }) => !/editor|review/i.test(attributes['content-type'] ?? ''))
    .flatMap((group) => childrenOf(group, 'contrib'))
    .filter(({ attributes }) => (attributes['contrib-type'] ?? 'author') === 'author')
    .map(nameOf)
    .filter((name) => name !== '');
}

function nameOf(contributor: XmlElement): string {
  // Beside a name the alternatives are the same one in other scripts.
  const parents = [contributor, childOf(contributor, 'name-alternatives')];
  const person = parents
    .flatMap((place) => [childOf(place, 'name'), childOf(place, 'string-name')])
    .find((name) => name !== undefined);
  if (person === undefined) return groupOf(contributor);
  const parts = ['given-names', 'surname', 'suffix'].map((part) => textOf(childOf(person, part)));
  return parts.filter((part) => part !== '').join(' ') || textOf(person);
}

/** The name of a group, without the members that may be listed in it. */
function groupOf(contributor: XmlElement): string {
  const group =
    childOf(contributor, 'collab') ?? childOf(contributor, 'collab-alternatives', 'collab');
  if (group === undefined) return '';
  const isName = (child: XmlElement | string): boolean =>
    typeof child === 'string' || !/^(?:contrib-group|xref|aff|fn)$/.test(child.name);
  return textOf({ ...group, children: group.children.filter(isName) });
}
