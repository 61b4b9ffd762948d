/**
 * Renews what an operator's page shows of something that goes on, while the page is seen, unless
 * somebody pauses it. The pages work without JavaScript: reloading them shows the same.
 */
const live = document.getElementById('live');

if (live) {
  const seconds = Number(live.dataset.everySeconds);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button plain compact';
  let isPaused = false;
  const describe = () => {
    button.textContent = isPaused ? `Renew every ${seconds} seconds` : 'Pause renewing';
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
      if (!response.ok || isPaused) return;
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const fresh = page.getElementById('live');
      if (fresh) live.replaceChildren(...fresh.childNodes);
      else location.reload();
    } catch {
      // The server is gone for a while; the next attempt may find it.
    }
  }, seconds * 1_000);
}
