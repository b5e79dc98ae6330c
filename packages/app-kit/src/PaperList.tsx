import type { AnyEndpoint, CallInput } from '@portal/api-client';
import type { Attachment } from '@portal/contract/documents';
import { fileKinds, fileSize } from '@portal/contract/file-kinds';
import { Button, Row } from '@portal/ui';
import type { CSSProperties } from 'react';
import { useOpenFile } from './open-file.ts';

/** What a file says of itself beside its name: `PDF, 214 KB`. */
export const fileWords = ({ kind, bytes }: Pick<Attachment, 'kind' | 'bytes'>): string => `${fileKinds[kind].label}, ${fileSize(bytes)}`;

const list: CSSProperties = { display: 'grid', gap: 4, margin: 0, padding: 0, listStyle: 'none' };

/** Papers that were sent with a request, each to be opened. `opens` asks for the address of one. */
export function PaperList<E extends AnyEndpoint>({
  papers,
  opens,
  inputOf,
}: {
  papers: readonly Attachment[];
  opens: E;
  inputOf: (documentId: string) => CallInput<E>;
}) {
  return (
    <ul style={list} aria-label="Papers">
      {papers.map(paper => (
        <Paper key={paper.documentId} paper={paper} opens={opens} input={inputOf(paper.documentId)} />
      ))}
    </ul>
  );
}

function Paper<E extends AnyEndpoint>({ paper, opens, input }: { paper: Attachment; opens: E; input: CallInput<E> }) {
  const { opening, open } = useOpenFile(opens);
  const { fileName, check } = paper;
  const why =
    check === 'BEING_CHECKED'
      ? { reason: 'It is being checked for viruses' }
      : check === 'INFECTED'
        ? { reason: 'A virus was found in it, and it was deleted' }
        : null;
  return (
    <li>
      <Row gap={8}>
        <Button
          size="s"
          icon="download"
          busy={opening}
          refusal={why}
          refusalIn="note"
          aria-label={`Open ${fileName}`}
          onClick={() => void open(input)}
        >
          Open
        </Button>
        <span className="small" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{fileName}</bdi> <span className="quiet">{fileWords(paper)}</span>
        </span>
      </Row>
    </li>
  );
}
