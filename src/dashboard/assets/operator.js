/**
 * Renews what an operator's page shows of something that goes on, while the page is seen, unless
 * somebody pauses it. If the server does not answer, the page says since when. The pages work without
 * JavaScript: reloading them shows the same.
 */
const live = document.getElementById('live');

if (live) {
  const seconds = Number(live.dataset.everySeconds);
  /** With a page that is renewed every 5 seconds, silence is seen within 10. */
  const ANSWER_MS = 4_000;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button plain compact';
  const banner = document.createElement('div');
  banner.className = 'notice bad';
  banner.setAttribute('role', 'alert');
  let isPaused = false;
  let heardAt = new Date();

  const describe = () => {
    button.textContent = isPaused ? `Update every ${seconds} seconds` : 'Pause updates';
  };
  /** Says that the server is silent, or no longer says so. */
  const showSilence = (isSilent) => {
    live.classList.toggle('old', isSilent);
    if (!isSilent) banner.remove();
    else if (!banner.isConnected) {
      const time = heardAt.toISOString().slice(11, 19);
      banner.textContent = `No answer from the server since ${time} UTC; the numbers below are old.`;
      live.before(banner);
    }
  };
  button.addEventListener('click', () => {
    isPaused = !isPaused;
    describe();
    showSilence(false);
  });
  describe();
  document.querySelector('.head')?.append(button);

  setInterval(async () => {
    if (isPaused || document.hidden) return;
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const response = await fetch(location.href, { headers: { Accept: 'text/html' }, signal });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      if (isPaused) return;
      if (!response.ok) throw new Error('the page is not there');
      heardAt = new Date();
      showSilence(false);
      const fresh = page.getElementById('live');
      if (fresh) live.replaceChildren(...fresh.childNodes);
      else location.reload();
    } catch {
      // The server is gone for a while; the next attempt may find it.
      showSilence(!isPaused);
    }
  }, seconds * 1_000);
}
