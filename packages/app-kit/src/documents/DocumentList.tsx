import type { AnyEndpoint, CallInput } from '@portal/api-client';
import type { Attachment } from '@portal/contract/documents/documents';
import { fileKinds, fileSize } from '@portal/contract/file-kinds';
import { Button, Row } from '@portal/ui';
import type { CSSProperties } from 'react';
import { useOpenFile } from './open-file.ts';

/** Returns the kind and size of a file: `PDF, 214 KB`. */
export const fileWords = ({ kind, bytes }: Pick<Attachment, 'kind' | 'bytes'>): string => `${fileKinds[kind].label}, ${fileSize(bytes)}`;

const list: CSSProperties = { display: 'grid', gap: 4, margin: 0, padding: 0, listStyle: 'none' };

/** Documents sent with a request, which can be opened. `opens` requests the address of one. */
export function DocumentList<E extends AnyEndpoint>({
  papers,
  opens,
  inputOf,
}: {
  papers: readonly Attachment[];
  opens: E;
  inputOf: (documentId: string) => CallInput<E>;
}) {
  return (
    <ul style={list} aria-label="Documents">
      {papers.map(paper => (
        <Paper key={paper.documentId} paper={paper} opens={opens} input={inputOf(paper.documentId)} />
      ))}
    </ul>
  );
}

function Paper<E extends AnyEndpoint>({ paper, opens, input }: { paper: Attachment; opens: E; input: CallInput<E> }) {
  return (
    <li>
      <Row gap={8}>
        <OpenButton check={paper.check} name={paper.fileName} opens={opens} input={input} />
        <span className="small" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{paper.fileName}</bdi> <span className="quiet">{fileWords(paper)}</span>
        </span>
      </Row>
    </li>
  );
}

/** Opens one file, unless it may contain a virus. `opens` requests its address. */
export function OpenButton<E extends AnyEndpoint>({
  check,
  name,
  opens,
  input,
  onOpened,
}: {
  check: Attachment['check'];
  name: string;
  opens: E;
  input: CallInput<E>;
  onOpened?: () => void;
}) {
  const { opening, open } = useOpenFile(opens);
  const why =
    check === 'being-checked'
      ? { reason: 'It’s being checked for viruses. Try again in a minute' }
      : check === 'infected'
        ? { reason: 'It contained a virus and was deleted' }
        : null;
  return (
    <Button
      size="s"
      icon="download"
      busy={opening}
      refusal={why}
      refusalIn="note"
      aria-label={`Open ${name}`}
      onClick={() => void open(input).then(onOpened)}
    >
      Open
    </Button>
  );
}
