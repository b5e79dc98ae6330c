import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../action/Button.tsx';
import { classNames } from '../text/class-names.ts';
import fieldStyles from '../form/Field.module.css';
import styles from './FileField.module.css';
import { Icon } from '../text/Icon.tsx';

/** A file among those chosen. `share` of it has left, from 0 to 1, while it is `sending`. */
export type ChosenFile = {
  key: string;
  name: string;
  /** Size, in words. */
  size: string;
  state: 'sending' | 'sent' | 'refused';
  share: number;
  /** Why it was refused, or what is still to happen with it. */
  words?: string | undefined;
};

export type FileFieldProps = {
  /** Names the control for the error summary. */
  id?: string;
  label: ReactNode;
  help?: ReactNode;
  error?: ReactNode;
  optional?: boolean;
  files: readonly ChosenFile[];
  /** Endings and media types the browser's dialogue offers. */
  accept: string;
  /** Maximum number of files. */
  most: number;
  onChoose: (files: readonly File[]) => void;
  /** Removes a file, or aborts its upload. */
  onRemove: (key: string) => void;
};

/** Files, chosen in a dialogue or dropped here. Each shows its progress, and can be aborted and removed. */
export function FileField({ id: given, label, help, error, optional, files, accept, most, onChoose, onRemove }: FileFieldProps) {
  const own = useId();
  const id = given ?? own;
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const full = files.filter(({ state }) => state !== 'refused').length >= most;
  const drag = (entering: boolean) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(entering);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!full) onChoose([...event.dataTransfer.files]);
  };
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id}>
        {label}
        {optional && <span className={fieldStyles.optional}>optional</span>}
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the input inside does the same by keyboard */}
      <div
        className={classNames(styles.area, over && styles.over, Boolean(error) && styles.invalid)}
        onDragEnter={drag(true)}
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={drop}
      >
        <Icon name="upload" />
        <span className={styles.words}>
          {full ? (
            <>{most === 1 ? 'One file' : `${most} files`} at most.</>
          ) : (
            <>
              <span className={styles.choose}>{most === 1 ? 'Choose a file' : 'Choose files'}</span>
              <span className={styles.drop}>{most === 1 ? ' or drop it here' : ' or drop them here'}</span>
            </>
          )}
        </span>
        <input
          ref={input}
          id={id}
          className={styles.input}
          type="file"
          accept={accept}
          multiple={most > 1}
          disabled={full}
          aria-describedby={help || error ? `${id}-words` : undefined}
          aria-invalid={error ? true : undefined}
          onChange={event => {
            onChoose([...(event.target.files ?? [])]);
            // So that the same file can be chosen again after it was removed.
            event.target.value = '';
          }}
        />
      </div>
      {(error || help) && (
        <span className={error ? fieldStyles.error : fieldStyles.help} id={`${id}-words`}>
          {error ? (
            <>
              <Icon name="invalid" />
              <span>{error}</span>
            </>
          ) : (
            help
          )}
        </span>
      )}
      {files.length > 0 && (
        <ul className={styles.files} aria-label="Files">
          {files.map(file => (
            <FileRow
              key={file.key}
              file={file}
              onRemove={() => {
                onRemove(file.key);
                input.current?.focus();
              }}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

const FileRow = ({ file, onRemove }: { file: ChosenFile; onRemove: () => void }) => (
  <li className={styles.file}>
    <Icon
      name={file.state === 'refused' ? 'invalid' : file.state === 'sent' ? 'document' : 'upload'}
      className={file.state === 'refused' ? styles.refused : undefined}
    />
    <span className={styles.name}>
      <bdi>{file.name}</bdi> <span className={styles.size}>{file.size}</span>
    </span>
    <Button
      size="s"
      variant="quiet"
      icon="close"
      aria-label={file.state === 'sending' ? `Cancel upload of ${file.name}` : `Remove ${file.name}`}
      onClick={onRemove}
    />
    {file.state === 'sending' && <progress className={styles.progress} aria-label={`Uploading ${file.name}`} max={1} value={file.share} />}
    {file.words && (
      <span className={file.state === 'refused' ? styles.problem : styles.note} role={file.state === 'refused' ? 'alert' : undefined}>
        {file.words}
      </span>
    )}
  </li>
);
