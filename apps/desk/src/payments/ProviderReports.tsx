import { reading, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { money } from '@portal/app-kit/words/billing-words';
import { type ProviderReport, providerReportKinds, reversals } from '@portal/contract/billing/reversals';
import { Button, ButtonRow, DateText, Field, Link, Mono, Sheet, StateMark, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import styles from './PaymentsPage.module.css';
import { RefundCard } from './RefundCard.tsx';

/** Reports of the card provider that no one has dealt with; nothing where there is none. */
export function ProviderReports() {
  const { call } = useKit();
  const { data } = useQuery(reading(call, reversals.listProviderReports, {}));
  const [open, setOpen] = useState<ProviderReport | null>(null);
  const [refunding, setRefunding] = useState<ProviderReport | null>(null);
  const refusal = useRefusal(reversals.resolveProviderReport);
  const refundRefusal = useRefusal(reversals.reversePayment);
  if (!data || data.reports.length === 0) return null;
  return (
    <Sheet title="From the card provider" meta={<span>{data.reports.length}</span>}>
      <ul className={styles.waiting} aria-label="Reports of the card provider">
        {data.reports.map(report => (
          <li key={report.reportId}>
            <div className={styles.what}>
              <StateMark state={report.kind === 'dispute-won' ? 'valid' : 'warning'}>{providerReportKinds[report.kind]}</StateMark>
              <span>
                <span className="strong">{money(report.currency, report.amount)}</span>
                {report.invoice && (
                  <>
                    {' '}
                    for <Link href={`/desk/accounts/${encodeURIComponent(report.invoice.accountName)}`}>{report.invoice.number}</Link> of{' '}
                    {report.invoice.accountName}
                  </>
                )}
              </span>
              <span className="quiet small">
                <DateText value={report.reportedAt} />, <Mono>{report.payment}</Mono>
              </span>
            </div>
            <ButtonRow>
              {report.kind === 'ended-checkout' && report.invoice && report.receipt !== null && (
                <Button size="s" refusal={refundRefusal} onClick={() => setRefunding(report)}>
                  Refund
                </Button>
              )}
              <Button size="s" refusal={refusal} onClick={() => setOpen(report)}>
                Done
              </Button>
            </ButtonRow>
          </li>
        ))}
      </ul>
      {open && <Resolve report={open} onClose={() => setOpen(null)} />}
      {refunding && <RefundCard report={refunding} onClose={() => setRefunding(null)} />}
    </Sheet>
  );
}

function Resolve({ report: { reportId, kind }, onClose }: { report: ProviderReport; onClose: () => void }) {
  const resolve = useChange(reversals.resolveProviderReport, {
    refresh: [reversals.listProviderReports],
    showsErrors: true,
    onDone: onClose,
  });
  const form = useForm(
    reversals.resolveProviderReport.body,
    { note: '' },
    {
      name: 'provider-report',
      ifEmpty: { note: 'Say what was done, such as “Reversed the payment”' },
      change: resolve,
      send: body => resolve.mutate({ reportId, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={providerReportKinds[kind]}>
      <ActForm form={form} act="Mark as done" onClose={onClose}>
        <Field label="Action taken" {...form.field('note')}>
          <TextArea rows={2} {...form.input('note')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
