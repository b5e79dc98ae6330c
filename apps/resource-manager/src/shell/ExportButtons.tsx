import { Button, Row } from '@portal/ui';
import { useState } from 'react';

const formats = ['csv', 'json'] as const;
export type ExportFormat = (typeof formats)[number];

/** Saves what is filtered, all pages of it, as a file. */
export function ExportButtons({ what, save }: { what: string; save: (format: ExportFormat) => Promise<void> }) {
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
    </Row>
  );
}
