import type { HelpBlock, HelpPicture, HelpWord, HelpWords } from '@portal/contract/help-article';
import { type RoaPicture, roaPictureInWords } from '@portal/contract/roa-picture';
import { Link } from '@portal/ui';
import type { ReactNode } from 'react';
import styles from './TextBlocks.module.css';

/** Words of an article. Links that leave the registry open in a tab of their own; places in the article are on its page. */
function HelpText({ words }: { words: HelpWords }): ReactNode {
  return words.map((word, place) => {
    if (typeof word === 'string') return word;
    // oxlint-disable-next-line react/no-array-index-key -- an article doesn't change while it is shown
    if (word.kind === 'code') return <code key={place}>{word.text}</code>;
    // oxlint-disable-next-line react/no-array-index-key -- the same
    if (word.kind === 'term') return <Explained key={place} term={word} />;
    const inside = <HelpText words={word.words} />;
    // oxlint-disable-next-line react/no-array-index-key -- the same
    if (word.kind === 'strong') return <b key={place}>{inside}</b>;
    return word.address.startsWith('/') ? (
      // oxlint-disable-next-line react/no-array-index-key -- the same
      <Link key={place} href={word.address}>
        {inside}
      </Link>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the same
      <a key={place} href={word.address} target="_blank" rel="noopener noreferrer">
        {inside}
      </a>
    );
  });
}

/** A term of the field: in a box by the pointer, beside it by the keyboard. */
const Explained = ({ term: { text, address, words } }: { term: Extract<HelpWord, { kind: 'term' }> }) => (
  <Link className={styles.term} href={address} title={words}>
    {text}
  </Link>
);

/** A picture of a page, in the colours of the theme. It is as wide as the panel, and opens whole in a tab of its own. */
const Picture = ({ picture: { words, light, dark, width, height } }: { picture: HelpPicture }) => (
  <a className={styles.picture} href={light} target="_blank" rel="noopener">
    <img className={dark === null ? undefined : styles.light} src={light} alt={words} width={width} height={height} loading="lazy" />
    {dark !== null && <img className={styles.dark} src={dark} alt={words} width={width} height={height} loading="lazy" />}
  </a>
);

/** A ROA above the announcements that it makes valid or invalid, to scale. */
const Roa = ({ roa }: { roa: RoaPicture }) => (
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn of elements
  <div className={styles.roa} role="img" aria-label={roaPictureInWords(roa)}>
    <div>
      <span>ROA</span>
      <i data-of="roa">
        {roa.asn}, up to /{roa.maxLength}
      </i>
    </div>
    {roa.rows.map(({ length, parts, isValid }) => (
      <div key={length}>
        <span>/{length}</span>
        {parts.map((part, place) => (
          <i key={part} data-of={isValid ? 'valid' : 'invalid'} title={part}>
            {place === 0 && (isValid ? 'valid' : 'invalid')}
          </i>
        ))}
      </div>
    ))}
  </div>
);

function Block({ block }: { block: HelpBlock }) {
  switch (block.kind) {
    case 'heading':
      return (
        <h3>
          <HelpText words={block.words} />
        </h3>
      );
    case 'paragraph':
      return (
        <p>
          <HelpText words={block.words} />
        </p>
      );
    case 'code':
      return <pre>{block.text}</pre>;
    case 'picture':
      return <Picture picture={block} />;
    case 'roa':
      return <Roa roa={block.roa} />;
    case 'list': {
      const items = block.items.map(({ words, more }, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- an article doesn't change while it is shown
        <li key={place}>
          <HelpText words={words} />
          {more && (
            <p>
              <HelpText words={more} />
            </p>
          )}
        </li>
      ));
      return block.isOrdered ? <ol className={styles.steps}>{items}</ol> : <ul className={styles.points}>{items}</ul>;
    }
    case 'table':
      return (
        <dl className={styles.table}>
          {block.rows.map(([first = [], ...others], place) => (
            // oxlint-disable-next-line react/no-array-index-key -- an article doesn't change while it is shown
            <div key={place}>
              <dt>
                <HelpText words={first} />
              </dt>
              {others.map((cell, column) => (
                // oxlint-disable-next-line react/no-array-index-key -- the same
                <dd key={column}>
                  <HelpText words={cell} />
                </dd>
              ))}
            </div>
          ))}
        </dl>
      );
    default:
      return null;
  }
}

/** The blocks of a help article or a legal text, as narrow as a panel. */
export const TextBlocks = ({ blocks }: { blocks: readonly HelpBlock[] }) =>
  // oxlint-disable-next-line react/no-array-index-key -- an article doesn't change while it is shown
  blocks.map((block, place) => <Block key={place} block={block} />);
