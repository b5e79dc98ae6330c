import { type FormProblem, type RequestForm, type RequestKind, regionalRegistries } from './request-form.ts';
import { problemsOfWhoisNames, receivesNumbers } from './whois-names.ts';
import { lackingAnswers, problemOfGrounds } from './request-grounds.ts';

/** Returns what is missing or wrong before a form of this kind can be sent. Policy is checked on the server. */
export function problemsOfForm(kind: RequestKind, form: RequestForm): FormProblem[] {
  const grounds = problemOfGrounds(kind, form.path);
  const problems: FormProblem[] = grounds ? [grounds] : lackingAnswers(kind, form);
  const need = (field: FormProblem['field'], met: boolean, message: string): void => {
    if (!met) problems.push({ field, message });
  };
  if (kind === 'ipv4' || kind === 'ipv6') need('length', form.length > 0, 'Choose a size');
  if (kind === 'asn' && form.twoByte) need('reason', form.reason.trim() !== '', 'Enter why a four-byte number can’t be used');
  if (kind === 'pre-approval') need('blocks', form.blocks > 0, 'Enter a number of /24 blocks, such as 4');
  if (kind === 'return' || kind === 'transfer' || kind === 'acquisition') problems.push(...problemsOfHandOver(kind, form));
  if (receivesNumbers(kind, form)) problems.push(...problemsOfWhoisNames(form, { asNumbers: kind === 'asn' }));
  return problems;
}

/** Says what is missing or wrong in the form of a return, a transfer in either direction, or a merger. */
function problemsOfHandOver(kind: 'return' | 'transfer' | 'acquisition', form: RequestForm): FormProblem[] {
  const problems: FormProblem[] = [];
  const need = (field: FormProblem['field'], met: boolean, message: string): void => {
    if (!met) problems.push({ field, message });
  };
  const incoming = kind === 'transfer' && form.incoming;
  const [recipient, registry] = [form.recipient.trim(), form.otherRegistry.trim()];
  if (incoming) {
    need('resources', form.resources.length > 0, 'Enter at least one resource, such as 203.0.112.0/24');
    need('legalName', form.legalName.trim() !== '', 'Enter the organisation that holds them at the other registry');
    if (!form.usePreApproval) problems.push(...lackingAnswers('pre-approval', { ...form, path: '' }));
  } else {
    need('resources', form.resources.length > 0, 'Choose at least one resource');
    need('reason', form.reason.trim() !== '', 'Enter a reason');
  }
  if (kind === 'return') {
    need('startsOn', form.startsOn !== '', 'Enter the day from which nothing uses them any more');
    need('recipient', recipient === '', 'Leave the recipient empty: what is returned goes to the registry');
    need('otherRegistry', registry === '', 'Leave the other registry empty: what is returned goes to this one');
    return problems;
  }
  if (incoming || registry !== '')
    need(
      'otherRegistry',
      (regionalRegistries as readonly string[]).includes(registry),
      `Choose the other registry: ${regionalRegistries.join(', ')}`,
    );
  need(
    'recipient',
    recipient === '' || (registry === '' && !incoming),
    incoming ? 'Leave the recipient empty: your account receives' : 'Choose a recipient here or another registry, not both',
  );
  if (!incoming) need('recipient', recipient !== '' || registry !== '', 'Enter the account that receives, such as OTHER-SG');
  if (kind === 'acquisition') {
    need('occasion', form.occasion !== '', 'Choose what happened');
    need('legalName', form.legalName.trim() !== '', 'Enter the legal name of the organisation that receives');
    need('startsOn', form.startsOn !== '', 'Enter the day from which it counts');
  }
  return problems;
}
