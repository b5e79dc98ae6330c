import type { RpslParagraph } from '@portal/rpsl';
import { Badge, Button, formatCount, Row, Sheet } from '@portal/ui';
import { useMemo, useRef } from 'react';
import { FileDrop } from './FileDrop.tsx';
import { ObjectText, type ObjectTextHandle } from '../text/ObjectText.tsx';
import { ProblemList } from '../text/ProblemList.tsx';
import type { TextFindings } from './text-findings.ts';
import styles from './TextUploadPage.module.css';

/** Longer texts can't be edited on the page. */
const maxLines = 2_000;
const shownFindings = 100;

type Props = {
  text: string;
  name: string | null;
  objects: readonly RpslParagraph[];
  found: TextFindings;
  onText: (text: string, name?: string | null) => void;
};

/** The text with its marks, and everything that was found in it. */
export function UploadedText({ text, name, objects, found, onText }: Props) {
  const editor = useRef<ObjectTextHandle>(null);
  const lines = useMemo(() => text.split('\n').length, [text]);
  const isLong = lines > maxLines;
  const findings = text === '' ? [] : found.findings;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return (
    <FileDrop onText={onText}>
      {choose => (
        <Sheet
          title="Objects"
          meta={
            text === '' ? undefined : (
              <span aria-live="polite">
                {name !== null && <span className="strong">{name}: </span>}
                {formatCount(objects.length)} {objects.length === 1 ? 'object' : 'objects'}, {formatCount(lines)} lines
                {!found.isDone && `, ${formatCount(found.checked)} checked`}
              </span>
            )
          }
          flush
          actions={
            <Row gap={8}>
              {errors > 0 && (
                <Badge kind="invalid" icon="invalid">
                  {formatCount(errors)} <span className="vh">wrong</span>
                </Badge>
              )}
              {text !== '' && (
                <Button size="s" variant="quiet" onClick={() => onText('', null)}>
                  Clear
                </Button>
              )}
            </Row>
          }
          footer={
            <Row gap={12} wrap>
              {choose}
              <span className="small quiet">
                or drop one anywhere here. Separate objects with a blank line. Use AUTO-1 for a new handle.
              </span>
            </Row>
          }
        >
          {isLong ? (
            <p className={styles.long}>
              The text is too long to edit here. Problems are listed below by line. Fix them in your editor and upload the file again.
            </p>
          ) : (
            <div className={styles.paper}>
              <ObjectText ref={editor} text={text} label="Text of the objects" findings={findings} onChange={next => onText(next)} />
            </div>
          )}
          {findings.length > 0 && (
            <div className={styles.findings}>
              <ProblemList
                findings={findings.slice(0, shownFindings)}
                {...(!isLong && { onLine: (line: number) => editor.current?.goToLine(line) })}
              />
              {findings.length > shownFindings && (
                <p className="small quiet">and {formatCount(findings.length - shownFindings)} more, or beyond</p>
              )}
            </div>
          )}
        </Sheet>
      )}
    </FileDrop>
  );
}
