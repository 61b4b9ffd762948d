/**
 * Renews the numbers of the operator's page "Now" while it is seen, unless somebody pauses it. The page
 * works without JavaScript: reloading it shows the same.
 */
const EVERY_MS = 10_000;
const live = document.getElementById('live');

if (live) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button plain compact';
  let isPaused = false;
  const describe = () => {
    button.textContent = isPaused ? 'Renew every 10 seconds' : 'Pause renewing';
  };
  button.addEventListener('click', () => {
    isPaused = !isPaused;
    describe();
  });
  describe();
  document.querySelector('.head')?.append(button);

  setInterval(async () => {
    if (isPaused || document.hidden) return;
    try {
      const response = await fetch(location.href, { headers: { Accept: 'text/html' } });
      if (!response.ok) return;
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const fresh = page.getElementById('live');
      if (fresh && !isPaused) live.replaceChildren(...fresh.childNodes);
    } catch {
      // The server is gone for a while; the next attempt may find it.
    }
  }, EVERY_MS);
}
