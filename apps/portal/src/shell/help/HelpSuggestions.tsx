import { MINUTE_MS } from '@portal/contract/days';
import type { HelpFound } from '@portal/contract/help-article';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { foundIn } from './help-answers.ts';
import styles from './HelpSuggestions.module.css';

/** Milliseconds without a key after which someone counts as having written a part. */
const PAUSE_MS = 400;
/** Fewer characters say nothing. */
const LEAST = 4;

async function readSuggestions(text: string): Promise<HelpFound['articles']> {
  try {
    const response = await fetch(`/help?as=json&q=${encodeURIComponent(text)}`, { headers: { accept: 'application/json' } });
    return response.ok ? foundIn(await response.json()) : [];
  } catch {
    // A question can be sent without suggestions.
    return [];
  }
}

/** Articles that may answer a question while it is typed, in a tab of their own; nothing without any. */
export function HelpSuggestions({ text }: { text: string }) {
  const [asked, setAsked] = useState('');
  const words = text.trim().slice(0, 200);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words.length < LEAST ? '' : words), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words]);
  const { data = [] } = useQuery({
    queryKey: ['help', 'suggestions', asked],
    queryFn: () => readSuggestions(asked),
    enabled: asked !== '',
    staleTime: 10 * MINUTE_MS,
  });
  return (
    <div className={styles.suggestions} aria-live="polite">
      {asked !== '' && data.length > 0 && (
        <>
          <p className="small quiet">These articles may answer it:</p>
          <ul>
            {data.map(({ slug, title, summary }) => (
              <li key={slug}>
                <a href={`/help/${slug}`} target="_blank" rel="noopener">
                  {title}
                </a>{' '}
                <span className="small quiet">{summary}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
