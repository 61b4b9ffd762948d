/** Formulas in titles and sentences: what is shown, what is refused, and what is copied. */
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadTex, TexText } from '../../../src/dashboard/components/tex-text.tsx';
import { loadAssets } from '../../../src/dashboard/page/assets.ts';
import { useBrowser } from '../../support/browser.ts';

const TEXT = 'A mass $m=\\frac{a}{b_2}$ below $$10^{-3}\\,\\mathrm{eV}$$, for $5.';

const browser = useBrowser();
beforeAll(loadTex);

const show = (text: string): string => renderToString(h(TexText, { text }));

describe('a formula', () => {
  it('is MathML, beside its source', () => {
    expect(show('so $x^2$.')).toBe(
      'so <span class="formula"><span class="tex" aria-hidden="true">$x^2$</span>' +
        '<span><math><msup><mi>x</mi><mn class="tml-sml-pad">2</mn></msup></math></span></span>.',
    );
  });

  it('is copied as its source', async () => {
    const { page } = await browser.visit('http://localhost');
    const { style, script } = loadAssets();
    const shown = `<p>${show(TEXT)}</p><p>And $x$.</p><textarea></textarea>`;
    await page.setContent(
      `<style>${style.body}</style><main>${shown}</main><script>${script.body}</script>`,
    );
    expect(await page.locator('mfrac').textContent()).toBe('ab2');
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('main'))");
    await page.keyboard.press('Control+C');
    await page.locator('textarea').focus();
    await page.keyboard.press('Control+V');
    expect(await page.locator('textarea').inputValue()).toBe(`${TEXT}\n\nAnd $x$.\n\n`);
  });

  it('runs nothing, and is text where it would', () => {
    const html = show('$\\text{<script>run()</script> " onclick="run()}$');
    expect(html).toContain('&lt;script&gt;run()');
    expect(html).not.toMatch(/<script|<[^>]+ onclick/);
  });

  it.each([
    'from $5 to $10',
    'US$5-$7 and $ x $',
    '$\\frac{a$',
    '$\\nothing$',
    '$\\href{javascript:run()}{x}$',
    '$\\includegraphics{https://elsewhere.example/x.png}$',
    '$\\color{red}{x}$',
    '$\\def\\a{\\a\\a}\\a$',
    // Browsers would show it without its line.
    '$\\overline{x}$',
    `$${'x'.repeat(301)}$`,
  ])('is the text of the source if it is none or would need more: %j', (text) => {
    expect(show(text)).not.toContain('<');
  });

  it('beyond the tenth of a text stays as it is', () => {
    const html = show('$x$ '.repeat(12));
    expect([html.match(/<math>/g)?.length, html.endsWith(' $x$ $x$ ')]).toEqual([10, true]);
  });
});
