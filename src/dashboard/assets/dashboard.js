/**
 * Optional conveniences of the dashboard: copy buttons, formulas as their source, forms that are sent only once, and arrow keys in
 * charts. Every page works without JavaScript.
 */
const announcement = document.getElementById('announcement');
for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  const word = button.querySelector('.word');
  const label = word.textContent;
  let timer;
  const say = (shown, spoken) => {
    word.textContent = shown;
    announcement.textContent = spoken;
    clearTimeout(timer);
    timer = setTimeout(() => {
      word.textContent = label;
      announcement.textContent = '';
    }, 2000);
  };
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      say(word.dataset.done, 'Copied.');
    } catch {
      getSelection().selectAllChildren(source);
      say(word.dataset.failed, 'Selected. Press Ctrl+C to copy.');
    }
  });
}

// Without this, a browser adds a line break to the source of each formula that it copies.
document.addEventListener('copy', (event) => {
  const formulas = document.querySelectorAll('math');
  if (formulas.length === 0 || event.target.closest?.('input, textarea')) return;
  for (const formula of formulas) formula.style.display = 'none';
  event.clipboardData.setData('text/plain', getSelection().toString());
  for (const formula of formulas) formula.style.display = '';
  event.preventDefault();
});

// Ignore a second submission of the same form.
for (const form of document.forms) {
  if (form.method !== 'post') continue;
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
    event.submitter?.setAttribute('aria-busy', 'true');
  });
}
// The browser may restore the page from its history.
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent;
  for (const busy of document.querySelectorAll('[aria-busy]')) busy.removeAttribute('aria-busy');
});

// Arrow keys move through the days of a chart, which is one tab stop. Charts may be renewed.
document.addEventListener('keydown', (event) => {
  const chart = event.target.closest('.chart');
  if (!chart) return;
  const days = [...chart.querySelectorAll('.day')];
  const at = days.indexOf(document.activeElement);
  const targets = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: days.length - 1 };
  const next = days[targets[event.key]];
  if (!next) return;
  event.preventDefault();
  days[at]?.setAttribute('tabindex', '-1');
  next.setAttribute('tabindex', '0');
  next.focus();
});
