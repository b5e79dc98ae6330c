import { useAccount, useAnswer } from '@portal/app-kit';
import type { RequestForm } from '@portal/contract/requests/request-form';
import { type RequestCheck, type RequestEligibility, type ResourceRequestDetail, requests } from '@portal/contract/requests/requests';
import { Banner, Disclosure, formatCount, KeyValueList, KindMark } from '@portal/ui';
import { FormProblems } from '@portal/app-kit/form/Form';
import { type ComponentProps, useEffect, useImperativeHandle, type Ref } from 'react';
import { checkMarks } from '../shell/case-words.ts';
import { DraftDocuments } from './DraftDocuments.tsx';
import { useDraftForm } from './draft-form.ts';
import { type AskedKind, kindNames } from './Offers.tsx';
import type { PlanLimit } from './PlanChart.tsx';
import { RequestFields } from './RequestFields.tsx';
import { PolicyLink } from './PolicyLink.tsx';
import styles from './RequestSection.module.css';
import { whoisNameRows } from './whois-name-words.ts';
import { WhoisNameFields } from './WhoisNameFields.tsx';

/** A part of the form as its page sees it. */
export type SectionState = {
  latest: ResourceRequestDetail;
  form: RequestForm;
  savedWords: string;
  isSending: boolean;
  /** Why it can't be sent; null if it can. */
  reason: string | null;
  refusal: ReturnType<typeof useDraftForm>['refusal'];
};
/** Acts of a page on a part of its form. */
export type SectionHandle = {
  /** Shows what is wrong, or sends it. */
  submit: () => void;
  set: (part: Partial<RequestForm>) => void;
  save: () => void;
};

/** Checks that depend on answers, shown beside them. */
const isAnswered = ({ source, checkId }: RequestCheck): boolean =>
  /^Your (answer|request)/.test(source) || ['limit', 'asns', 'ipv6-held'].includes(checkId);

/** Policy for the answers of a part, as checked with the last save. @param holdYears years in which addresses of the last pool can't be transferred */
function PolicyNotes({
  kind,
  checks,
  path,
  holdYears,
}: {
  kind: AskedKind;
  checks: readonly RequestCheck[];
  path: RequestForm['path'];
  holdYears: number;
}) {
  return (
    <aside className={styles.notes} aria-label={`Policy for ${kindNames[kind]}`}>
      {checks.filter(isAnswered).map(check => (
        <p key={check.checkId} data-state={check.state}>
          <b>
            <PolicyLink check={check} kind={kind} />
          </b>
          <span>
            <span className="quiet">{checkMarks[check.state].words}. </span>
            {check.fact}: {check.known}
          </span>
        </p>
      ))}
      {kind === 'ipv4' && !['ixp', 'temporary'].includes(path) && (
        <p>
          <b>
            Can’t be transferred for {formatCount(holdYears)} {holdYears === 1 ? 'year' : 'years'}
          </b>
          <span>This applies to addresses from the last pool, from the day of delegation.</span>
        </p>
      )}
    </aside>
  );
}

/** Returns the sizes that a plan is drawn against: those of its purpose, or until one is chosen those of every purpose with a plan. */
function limitsOf(paths: RequestEligibility['paths'], { path, length }: RequestForm): PlanLimit[] {
  const chosen = paths.filter(each => (path === '' ? !['ixp', 'temporary'].includes(each.path) : each.path === path));
  const lengths = [...new Set(chosen.flatMap(each => each.lengths))].toSorted((a, b) => b - a);
  return lengths.slice(0, 3).map(each => ({ label: `/${each}`, amount: 2 ** (32 - each), asked: each === length }));
}

/** Names in whois that are the same for all kinds of numbers in the form. */
const sharedNames = ['adminContact', 'techContact', 'maintainer', 'abuseMailbox'] as const;

/** The name of the numbers in whois, and at the end of the form what the account has for all of them, with fields on demand. They are open where something is missing or wrong. */
function NameInWhois({ isLast, ...fields }: ComponentProps<typeof WhoisNameFields> & { isLast: boolean }) {
  const { whois, form, asNumbers, errors } = fields;
  const hasSharedErrors = sharedNames.some(each => errors[each]);
  const isAll = isLast || hasSharedErrors;
  const rows = whoisNameRows(whois, form, asNumbers);
  return (
    <div className={styles.account}>
      {isAll && <h4>From your account</h4>}
      <KeyValueList align="left" items={isAll ? rows : rows.slice(0, 1)} />
      <Disclosure
        summary={isAll ? 'Change how it appears in whois' : 'Change the name'}
        open={hasSharedErrors || Boolean(errors.netname) || (isLast && whois.defaults.abuseMailbox === '')}
      >
        <WhoisNameFields {...fields} nameOnly={!isAll} />
      </Disclosure>
    </div>
  );
}

/**
 * One kind of numbers in the form: its questions, with what policy asks for beside them, as checked with every save. @param number its place in the form @param isFirst it asks what several kinds
 * share @param isLast it has what the account has for all of them @param onShared tells the others
 */
export function RequestSection({
  kind,
  requestId,
  eligibility,
  number,
  isFirst,
  isLast,
  onState,
  onShared,
  onSent,
  ref,
}: {
  kind: AskedKind;
  requestId: string;
  eligibility: RequestEligibility;
  number: number;
  isFirst: boolean;
  isLast: boolean;
  onState: (kind: AskedKind, state: SectionState | null) => void;
  onShared: (kind: AskedKind, part: Partial<RequestForm>) => void;
  onSent: (sent: ResourceRequestDetail) => void;
  ref: Ref<SectionHandle>;
}) {
  const { accountName: account } = useAccount();
  const request = useAnswer(requests.getRequest, { account, requestId });
  const name = `request-${kind}`;
  const draft = useDraftForm(request, { onSent, confirms: false, name });
  const { latest, form, answers, errors, savedWords, isSending, refusal, unmet } = draft;
  const reason = unmet ? `${unmet.fact}: ${unmet.known}` : null;
  const state = JSON.stringify([latest, answers, savedWords, isSending, reason, refusal]);
  useEffect(() => {
    onState(kind, { latest, form: answers, savedWords, isSending, reason, refusal });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the text says what changed
  }, [state]);
  useEffect(() => () => onState(kind, null), [kind, onState]);
  useImperativeHandle(ref, () => ({
    submit: () => form.submit({ preventDefault: () => undefined } as Parameters<typeof form.submit>[0]),
    set: draft.onChange,
    save: draft.save,
  }));
  const onChange = (part: Partial<RequestForm>) => {
    draft.onChange(part);
    // The network is described once, and who has it in whois is named once, for all kinds.
    const shared = (['network', ...sharedNames] as const).filter(name => part[name] !== undefined);
    if (shared.length > 0) onShared(kind, Object.fromEntries(shared.map(name => [name, part[name]])));
  };
  const limits = kind === 'ipv4' ? limitsOf(eligibility.paths, answers) : [];
  return (
    <section className={styles.section} aria-label={kindNames[kind]}>
      <h3>
        <KindMark kind={kind} /> {number}. {kindNames[kind]}
        <span className={styles.saved}>{savedWords}</span>
      </h3>
      <div className={styles.beside}>
        <div className={styles.fields}>
          <FormProblems form={form} />
          {draft.general.map(({ message, traceId }) => (
            <Banner key={message} kind="error" traceId={traceId}>
              {message}
            </Banner>
          ))}
          <RequestFields
            kind={kind}
            name={name}
            paths={eligibility.paths}
            limits={limits}
            seen={eligibility.networks}
            asksNetwork={isFirst}
            needsReason={latest.checks.some(({ checkId }) => checkId === 'asn-need')}
            form={answers}
            errors={errors}
            onChange={onChange}
          />
          <DraftDocuments id={`${name}-documents`} documents={latest.documents} uploads={draft.uploads} error={errors.documents} />
        </div>
        <PolicyNotes kind={kind} checks={latest.checks} path={answers.path} holdYears={eligibility.terms.holdYears} />
      </div>
      {latest.whois && (
        <NameInWhois
          isLast={isLast}
          whois={latest.whois}
          name={name}
          asNumbers={kind === 'asn'}
          form={answers}
          errors={errors}
          onChange={onChange}
        />
      )}
    </section>
  );
}
