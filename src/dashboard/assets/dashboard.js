/**
 * What the dashboard does with JavaScript and can do without: buttons that copy, and forms that ask
 * once more. Without it the text is selected by hand, and the confirmation has a page of its own.
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

// A form that is sent twice in a row is sent once.
for (const form of document.forms) {
  if (form.method !== 'post') continue;
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
  });
}
// The page may come back from the browser's history.
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent;
});
