/**
 * Optional conveniences of the dashboard: copy buttons, and forms that are sent only once. Every page
 * works without JavaScript.
 */
for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = 'Press Ctrl+C';
    }
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}

// Ignore a second submission of the same form.
for (const form of document.forms) {
  if (form.method !== 'post') continue;
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
  });
}
// The browser may restore the page from its history.
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent;
});
