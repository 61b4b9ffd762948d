/** A receipt as a mail. Pure. */
import type { Mail } from './mail.ts';
import type { Receipt } from './payments/receipt.ts';

/** Returns the mail: as text, and as HTML with the same words. `page` is the address of the receipt. */
export function receiptMail(
  { number, summary, rows }: Receipt,
  page: string,
): Pick<Mail, 'subject' | 'text' | 'html'> {
  const lines = rows.map(({ label, lines }) => `${label}: ${lines.join('\n  ')}`);
  const cells = rows.map(
    ({ label, lines }) =>
      `<tr><th align="left" valign="top">${label}</th><td>${lines.map(escapeHtml).join('<br>')}</td></tr>`,
  );
  return {
    subject: `Receipt ${number} from Verbatim: ${summary}`,
    text: [
      `Thank you. Your credit has been added.`,
      lines.join('\n'),
      `To print it: ${page}`,
      '',
    ].join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><meta charset="utf-8">',
      `<title>Receipt ${number}</title><h1>Receipt ${number}</h1>`,
      '<p>Thank you. Your credit has been added.</p>',
      `<table cellpadding="6">${cells.join('')}</table>`,
      `<p><a href="${escapeHtml(page)}">Print this receipt</a></p></html>`,
    ].join('\n'),
  };
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
