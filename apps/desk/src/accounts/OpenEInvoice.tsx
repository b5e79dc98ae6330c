import { useOpenFile } from '@portal/app-kit/documents/open-file';
import { billing } from '@portal/contract/billing/billing';
import { Button } from '@portal/ui';

/** Saves the e-invoice of an invoice or a credit note, as accounting programs read it. That it was opened is kept. */
export function OpenEInvoice({ number }: { number: string }) {
  const { opening, open } = useOpenFile(billing.openStaffEInvoice);
  return (
    <Button
      size="s"
      icon="download"
      busy={opening}
      aria-label={`E-invoice ${number} (XML)`}
      onClick={() => void open({ documentNumber: number })}
    >
      XML
    </Button>
  );
}
