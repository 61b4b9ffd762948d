/**
 * Renews what an operator's page shows of something that goes on, while the page is seen, unless
 * somebody pauses it. If the server does not answer, the page says since when. The pages work without
 * JavaScript: reloading them shows the same.
 */
const live = document.getElementById('live');

if (live) {
  const everyMs = Number(live.dataset.everySeconds) * 1_000;
  /** With a page that is renewed every 5 seconds, silence is seen within 10. */
  const SILENCE_MS = 9_000;
  const ANSWER_MS = 4_000;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button plain compact';
  const banner = document.createElement('div');
  banner.className = 'notice bad';
  banner.setAttribute('role', 'alert');
  let isPaused = false;
  let isAsking = false;
  let askedAt = Date.now();
  let heardAt = Date.now();

  const describe = () => {
    button.textContent = isPaused ? `Update every ${everyMs / 1_000} seconds` : 'Pause updates';
  };
  /** Says that the server is silent, or no longer says so. */
  const showSilence = () => {
    const isSilent = !isPaused && Date.now() - heardAt >= SILENCE_MS;
    live.classList.toggle('old', isSilent);
    if (!isSilent) banner.remove();
    else if (!banner.isConnected) {
      const time = new Date(heardAt).toISOString().slice(11, 19);
      banner.textContent = `No answer from the server since ${time} UTC; the numbers below are old.`;
      live.before(banner);
    }
  };
  const ask = async () => {
    isAsking = true;
    askedAt = Date.now();
    try {
      const response = await fetch(location.href, {
        headers: { Accept: 'text/html' },
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const text = await response.text();
      if (!response.ok || isPaused) return;
      heardAt = Date.now();
      const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById('live');
      if (fresh) live.replaceChildren(...fresh.childNodes);
      else location.reload();
    } catch {
      // The server is gone for a while; the next attempt may find it.
    } finally {
      isAsking = false;
      showSilence();
    }
  };
  /** A page that nobody sees, and one that is paused, expects no answer. */
  const expectFromNow = () => {
    heardAt = Date.now();
    showSilence();
  };

  button.addEventListener('click', () => {
    isPaused = !isPaused;
    describe();
    expectFromNow();
  });
  document.addEventListener('visibilitychange', expectFromNow);
  describe();
  document.querySelector('.head')?.append(button);
  setInterval(() => {
    if (isPaused || document.hidden) return;
    if (!isAsking && Date.now() - askedAt >= everyMs) void ask();
    showSilence();
  }, 500);
}
