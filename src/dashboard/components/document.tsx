/** The HTML document around every page, and what its head consists of. */
import type { ComponentChildren } from 'preact';
import type { Asset, Assets } from '../page/assets.ts';

export interface DocumentProps {
  title: string;
  /** What previews of links to the page say. */
  description?: string | undefined;
  assets: Assets;
  /** Scripts besides the one of every page. */
  scripts?: readonly Asset[];
  /** Shows one narrow column. */
  isNarrow: boolean;
  /** The header stands beside the page where there is room: `SideBar`. */
  isSided: boolean;
  header: ComponentChildren;
  footer: ComponentChildren;
  children: ComponentChildren;
}

export function Document(props: DocumentProps) {
  const { title, description, assets, scripts = [] } = props;
  const { isNarrow, isSided, header, footer, children } = props;
  const fullTitle = `${title} · Verbatim`;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{fullTitle}</title>
        {description === undefined ? null : <Preview title={fullTitle} description={description} />}
        <link rel="icon" href={assets.icon.path} type="image/svg+xml" />
        <link rel="stylesheet" href={assets.style.path} />
        {[assets.script, ...scripts].map(({ path }) => (
          <script key={path} src={path} defer />
        ))}
      </head>
      <body class={isSided ? 'sided' : undefined}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="bar">
          <div class="inner bar-inner">{header}</div>
        </header>
        <main id="main" class={isNarrow ? 'inner narrow' : 'inner'} tabIndex={-1}>
          {children}
        </main>
        {/* The script says here what it did. */}
        <div id="announcement" class="hidden" aria-live="polite" />
        <footer class="foot">
          <div class="inner">{footer}</div>
        </footer>
      </body>
    </html>
  );
}

/** What chats and search engines show of a link: the description, and the Open Graph protocol. */
function Preview({ title, description }: { title: string; description: string }) {
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
    </>
  );
}

export function Brand({ href, assets }: { href: string; assets: Assets }) {
  return (
    <a class="brand" href={href}>
      <img src={assets.icon.path} alt="" width="24" height="24" />
      Verbatim
    </a>
  );
}
