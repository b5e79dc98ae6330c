import { type ReactNode, useState } from 'react';
import { Button } from '../action/Button.tsx';
import { Row } from '../layout/Layout.tsx';

const formats = ['csv', 'json'] as const;
export type ExportFormat = (typeof formats)[number];

/** Saves all filtered rows, of all pages, as a file. `children`: more buttons. */
export function ExportButtons({
  what,
  save,
  children,
}: {
  what: string;
  save: (format: ExportFormat) => Promise<void>;
  children?: ReactNode;
}) {
  const [busy, setBusy] = useState<ExportFormat | null>(null);
  const press = async (format: ExportFormat) => {
    setBusy(format);
    await save(format);
    setBusy(null);
  };
  return (
    <Row gap={4}>
      {formats.map(format => (
        <Button
          key={format}
          size="s"
          variant="quiet"
          icon="download"
          busy={busy === format}
          aria-label={`Export ${what} as ${format.toUpperCase()}`}
          onClick={() => void press(format)}
        >
          {format.toUpperCase()}
        </Button>
      ))}
      {children}
    </Row>
  );
}
