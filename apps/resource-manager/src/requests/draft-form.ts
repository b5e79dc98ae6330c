import { keepAnswer, useAccount, useAddress, useChange, useKit, useRefusal } from '@portal/app-kit';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { useForm } from '@portal/app-kit/form/use-form';
import { problemsOfForm } from '@portal/contract/requests/form-problems';
import type { RequestForm } from '@portal/contract/requests/request-form';
import { type ResourceRequestDetail, requests, type TransferPlan } from '@portal/contract/requests/requests';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

/** Milliseconds after the last change before a draft is saved. */
const PAUSE = 1200;

type FieldErrors = Partial<Record<string, string>>;
/** Props of the fields of a draft. */
export type DraftFields = { form: RequestForm; errors: FieldErrors; onChange: (part: Partial<RequestForm>) => void };

/**
 * The form of a draft: saved as it is filled in, checked against policy with every save, and sent. @param onSent once it was sent @param confirms it asks itself whether the answers are true; otherwise
 * the page asks once for several drafts @param risksOf what has to be accepted with a plan @param name of its fields' ids: `request` makes `request-network`
 */
export function useDraftForm(
  request: ResourceRequestDetail,
  {
    onSent,
    confirms = true,
    name = 'request',
    risksOf = () => [],
  }: {
    onSent: (sent: ResourceRequestDetail) => void;
    confirms?: boolean;
    name?: string;
    risksOf?: (plan: TransferPlan) => readonly string[];
  },
) {
  const { accountName: account } = useAccount();
  const { latest, uploads, save, submit, withdraw, isSavedAs, saveNow } = useDraftCalls(request, onSent);
  const refusal = useRefusal(requests.submitRequest);
  const risksIn = (answers: RequestForm): readonly string[] => (latest.plan ? risksOf(asChosen(latest.plan, answers)) : []);
  const form = useForm(
    requests.saveRequest.body,
    { ...request.form, truthful: !confirms, accepts: false },
    {
      name,
      also: ['documents'],
      toBody: values => ({ version: latest.version, form: answersOf(values), documentIds: uploads.documentIds }),
      fieldAt: place => (place.startsWith('documentIds') ? 'documents' : place.replace(/^form\./, '')),
      check: values => ({
        ...Object.fromEntries(
          problemsOfForm(latest.kind, values)
            .toReversed()
            .map(({ field, message }) => [field, message]),
        ),
        ...(uploads.problem && { documents: uploads.problem }),
        ...(!values.truthful && { truthful: 'Confirm that the answers are true' }),
        ...(!values.accepts && risksIn(answersOf(values)).length > 0 && { accepts: 'Accept what gets worse, or change the plan' }),
      }),
      change: submit,
      send: (_, values) =>
        saveNow(answersOf(values), answer =>
          submit.mutate({ account, requestId: answer.requestId, body: { version: answer.version, truthful: true } }),
        ),
    },
  );
  const answers = answersOf(form.values);
  const isSaved = isSavedAs(answers);
  useEffect(() => {
    if (isSaved || save.isPending || save.error || uploads.sending) return;
    const timer = setTimeout(() => saveNow(answers), PAUSE);
    return () => clearTimeout(timer);
  });
  const refusedBySave = save.error?.errors ?? [];
  const errors: FieldErrors = Object.fromEntries(
    [...(Object.keys(form.values) as (keyof typeof form.values)[]), 'documents' as const].map(each => [each, form.field(each).error]),
  );
  for (const { field, message } of refusedBySave) if (field) errors[field.split('.')[0]!] ??= message;
  const unmet = latest.checks.find(({ state }) => state === 'unmet');
  return {
    latest,
    form,
    answers,
    /** Risks of the plan, which the person accepts. */
    risks: risksIn(answers),
    errors,
    onChange: (part: Partial<RequestForm>): void => {
      if (save.error) save.reset();
      form.set(part);
    },
    /** Refusals that no field is about. */
    general: refusedBySave.filter(({ field }) => !field),
    uploads,
    isSaved,
    /** `Saved`, and why it isn't. */
    savedWords: save.isPending ? 'Saving…' : save.error ? 'Not saved' : isSaved ? 'Saved' : 'Not saved yet',
    isSending: form.busy || (form.wasSent && save.isPending),
    /** Why it can't be sent by this person, or now. */
    refusal: refusal ?? (unmet && isSaved ? { reason: `${unmet.fact}: ${unmet.known}` } : null),
    unmet,
    save: () => saveNow(answers),
    withdraw: () => withdraw.mutate({ account, requestId: latest.requestId }),
    isWithdrawing: withdraw.isPending,
  };
}
export type DraftForm = ReturnType<typeof useDraftForm>;

/** A draft as it was saved last, and the answers that it was saved with. */
type Saved = { answer: ResourceRequestDetail; as: string };

/** The calls of a draft, and what of it is saved. */
function useDraftCalls(request: ResourceRequestDetail, onSent: (sent: ResourceRequestDetail) => void) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const [latest, setLatest] = useState(request);
  const uploads = useUploads({ initial: request.papers });
  const answers = useQueryClient();
  const save = useChange(requests.saveRequest, {
    showsErrors: true,
    onDone(answer) {
      setLatest(answer);
      // The head of the page says what it is about.
      keepAnswer(answers, requests.getRequest, { ...answer, account } as ResourceRequestDetail);
    },
  });
  const submit = useChange(requests.submitRequest, {
    showsErrors: true,
    refresh: [requests.getRequest, requests.listRequests, requests.getEligibility, requests.listMovable],
    onDone: onSent,
  });
  const withdraw = useChange(requests.withdrawRequest, {
    refresh: [requests.getEligibility, requests.listRequests],
    onDone: () => {
      notify({ text: 'The draft is deleted.' });
      address.set({ request: null });
    },
  });
  const documentIds = uploads.documentIds.join();
  const [savedAs, setSavedAs] = useState(JSON.stringify([request.form, request.papers.map(({ documentId }) => documentId).join()]));
  const isSavedAs = (form: RequestForm): boolean => savedAs === JSON.stringify([form, documentIds]);
  const isUnderWay = useRef(false);
  /** The press that waits until the draft is saved, to go on with what was saved. */
  const waits = useRef<((saved: Saved) => void) | null>(null);
  const saveOver = async (saved: Saved, form: RequestForm, then?: (answer: ResourceRequestDetail) => void): Promise<void> => {
    const wanted = JSON.stringify([form, documentIds]);
    if (isUnderWay.current) {
      if (then) waits.current = later => void saveOver(later, form, then);
      return;
    }
    if (saved.as === wanted && then) return then(saved.answer);
    isUnderWay.current = true;
    const body = { version: saved.answer.version, form, documentIds: [...uploads.documentIds] };
    // Without an answer, the page shows why.
    const answer = await save.mutateAsync({ account, requestId: latest.requestId, body }).catch(() => null);
    isUnderWay.current = false;
    const next = waits.current;
    waits.current = null;
    if (answer === null) return;
    setSavedAs(wanted);
    if (next) next({ answer, as: wanted });
    else then?.(answer);
  };
  const saveNow = (form: RequestForm, then?: (answer: ResourceRequestDetail) => void): void =>
    void saveOver({ answer: latest, as: savedAs }, form, then);
  return { latest, uploads, save, submit, withdraw, isSavedAs, saveNow };
}

const answersOf = ({
  truthful: _truthful,
  accepts: _accepts,
  ...answers
}: RequestForm & { truthful: boolean; accepts: boolean }): RequestForm => answers;

/** The plan with choices made since it was saved. */
export const asChosen = (plan: TransferPlan, { plans }: RequestForm): TransferPlan => ({
  ...plan,
  effects: plan.effects.map(effect => {
    const own = effect.plan === null ? undefined : plans.find(({ what, name }) => what === effect.what && name === effect.name);
    return own ? { ...effect, plan: own.act } : effect;
  }),
});
