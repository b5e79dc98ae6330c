import { useAccount } from '@portal/app-kit';
import { Confirmation } from '@portal/app-kit/form/Confirmation';
import { FormProblems } from '@portal/app-kit/form/Form';
import { Banner, Button, ButtonRow, formatCount } from '@portal/ui';
import type { DraftForm } from './draft-form.ts';

/** The end of a draft: the answers are confirmed, what is wrong is named, and it is sent, saved or deleted. @param act the words of the button that sends */
export function SendDraft({ draft, act }: { draft: DraftForm; act: string }) {
  const { accountName } = useAccount();
  const { form } = draft;
  return (
    <>
      <Confirmation {...form.field('truthful')} checked={form.values.truthful} onChange={confirmed => form.set({ truthful: confirmed })}>
        The answers are true and I may act for {accountName}
      </Confirmation>
      {draft.risks.length > 0 && (
        <Confirmation {...form.field('accepts')} checked={form.values.accepts} onChange={accepts => form.set({ accepts })}>
          I accept that {draft.risks[0]}
          {draft.risks.length > 1 && `, and ${formatCount(draft.risks.length - 1)} more as listed`}
        </Confirmation>
      )}
      {/* Shown beside the button: the fields may be a screen or two above it. */}
      <FormProblems form={form} />
      {draft.general.map(({ message, traceId }) => (
        <Banner key={message} kind="error" traceId={traceId}>
          {message}
        </Banner>
      ))}
      <ButtonRow>
        <Button type="submit" variant="commit" busy={draft.isSending} refusal={draft.refusal}>
          {act}
        </Button>
        <Button onClick={draft.save}>Save draft</Button>
        <Button variant="quiet" busy={draft.isWithdrawing} onClick={draft.withdraw}>
          Delete draft
        </Button>
      </ButtonRow>
    </>
  );
}
