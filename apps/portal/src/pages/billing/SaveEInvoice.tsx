import { useAccount, useDownload } from '@portal/app-kit';
import { invoiceDocuments } from '@portal/contract/billing/invoice-documents';
import { Button } from '@portal/ui';

/** Saves an invoice or a credit note as an e-invoice, which accounting programs read. */
export function SaveEInvoice({ number, words }: { number: string; words: string }) {
  const { accountName: account } = useAccount();
  const save = useDownload(invoiceDocuments.downloadEInvoice);
  return (
    <Button
      size="s"
      icon="download"
      aria-label={`E-invoice ${number} (XML)`}
      onClick={() => void save({ account, documentNumber: number })}
    >
      {words}
    </Button>
  );
}
