import { Fragment } from 'react';
import { CopyButton } from './CopyButton.tsx';
import { Mono } from '../text/Mono.tsx';
import styles from './AddressText.module.css';

/** An address that a program reads, such as `rsync://rpki.example.net/repository/`: it breaks after slashes and never inside of a name that fits the line. */
export function AddressText({ text, copy }: { text: string /** Label of the button that copies it; none without. */; copy?: string }) {
  return (
    <span className={styles.address}>
      <Mono>
        {text.split(/(?<=\/)(?=[^/])|(?<=[.:])(?=[\w-]+[.:/])/).map((part, place) => (
          <Fragment key={`${place} ${part}`}>
            {place > 0 && <wbr />}
            <span className={styles.part}>{part}</span>
          </Fragment>
        ))}
      </Mono>
      {copy !== undefined && <CopyButton text={text} label={copy} />}
    </span>
  );
}
