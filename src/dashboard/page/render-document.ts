/** Renders a document as HTML. Every text in it is escaped. */
import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';

export function renderDocument(document: VNode): string {
  return `<!doctype html>${render(document)}`;
}
