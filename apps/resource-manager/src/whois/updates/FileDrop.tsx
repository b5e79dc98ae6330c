import { Banner, Button, classNames, Stack } from '@portal/ui';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import styles from './FileDrop.module.css';
import { readTextFiles } from '../../shell/text-file.ts';

/** An area to drop text files on, over its content, or to choose them. Files that are not text are refused with the reason. */
export function FileDrop({
  onText,
  children,
}: {
  onText: (text: string, name: string) => void;
  children: (choose: ReactNode) => ReactNode;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const take = async (files: readonly File[]) => {
    if (files.length === 0) return;
    const read = await readTextFiles(files);
    if ('refusal' in read) return setRefusal(read.refusal);
    setRefusal(null);
    onText(read.text, files.map(({ name }) => name).join(', '));
  };
  const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- dropping is optional; the button beside it does the same by key
    <div
      className={classNames(styles.drop, isOver && styles.over)}
      onDragOver={event => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={event => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={event => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(false);
        void take([...event.dataTransfer.files]);
      }}
    >
      <Stack gap={12}>
        {refusal !== null && (
          <Banner kind="error" onDismiss={() => setRefusal(null)}>
            {refusal}
          </Banner>
        )}
        {children(
          <>
            <Button icon="upload" onClick={() => input.current?.click()}>
              Choose a file
            </Button>
            <input
              ref={input}
              id={id}
              className="vh"
              type="file"
              multiple
              tabIndex={-1}
              aria-label="Files with whois objects"
              accept=".txt,.rpsl,.db,.conf,text/plain"
              onChange={event => {
                void take([...(event.target.files ?? [])]);
                event.target.value = '';
              }}
            />
          </>,
        )}
      </Stack>
    </div>
  );
}
