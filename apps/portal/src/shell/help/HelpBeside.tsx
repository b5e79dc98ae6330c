import type { HelpArticle } from '@portal/contract/help-article';
import { TextBlocks } from '@portal/app-kit/words/TextBlocks';
import { Button, Icon, Link } from '@portal/ui';
import { useEffect, useRef, useState } from 'react';
import { articleFrom } from './help-answers.ts';
import styles from './HelpBeside.module.css';

/** Links that open the help about a page. */
const helpLinks = 'a[href^="/help/for?"]';

/** Reads the article of a page; null if it can't be read. */
async function readArticle(address: string): Promise<HelpArticle | null> {
  try {
    const response = await fetch(`${address}&as=json`, { headers: { accept: 'application/json' } });
    return response.ok ? articleFrom(await response.json()) : null;
  } catch {
    return null;
  }
}

/**
 * The article about a page, beside it: “?” opens it here instead of in a tab of its own, and the page stays in use. Escape in it or its button closes it, and the focus goes back.
 * Where it can't be read, the link opens as it does without this part.
 */
export function HelpBeside() {
  const [article, setArticle] = useState<HelpArticle | null>(null);
  const opener = useRef<HTMLAnchorElement>(null);
  const panel = useRef<HTMLElement>(null);
  const close = () => {
    setArticle(null);
    opener.current?.focus();
  };
  useEffect(() => {
    const press = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(helpLinks) : null;
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
      if (!link || !isPlain || event.defaultPrevented) return;
      event.preventDefault();
      const address = link.getAttribute('href')!;
      void readArticle(address).then(found => {
        if (!found) {
          // As the link does: the page may have something unsaved on it.
          window.open(address, '_blank', 'noopener');
          return;
        }
        opener.current = link;
        setArticle(found);
      });
    };
    document.addEventListener('click', press);
    return () => document.removeEventListener('click', press);
  }, []);
  useEffect(() => {
    if (article) panel.current?.focus();
  }, [article]);
  if (!article) return null;
  const address = `/help/${article.slug}`;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from anywhere in it
    <aside
      ref={panel}
      tabIndex={-1}
      className={styles.panel}
      aria-labelledby="help-beside"
      onKeyDown={event => event.key === 'Escape' && close()}
    >
      <header className={styles.head}>
        <span className="small quiet">Help</span>
        <h2 id="help-beside">{article.title}</h2>
        <a className={styles.whole} href={address} target="_blank" rel="noopener" aria-label="Open the article as a page">
          <Icon name="external" />
        </a>
        <Button variant="quiet" size="s" icon="close" aria-label="Close help" onClick={close} />
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it */}
      <section className={styles.body} tabIndex={0} aria-label={`${article.title}, the article`}>
        <p className={styles.lead}>{article.summary}</p>
        <TextBlocks blocks={article.blocks} />
      </section>
      <footer className={styles.foot}>
        <Link href="/help">All articles</Link>
        <Link href={`/contact/helpdesk/rt-tickets?new=&subject=${encodeURIComponent(article.title)}`}>Ask about this page</Link>
      </footer>
    </aside>
  );
}
