import { SECOND_MS } from '@portal/contract/days';
import { isOwnProvider } from '@portal/contract/shell/own-provider';
import type { ConfirmationBegun, ConfirmationRefusal, GivenFactor } from '@portal/contract/shell/confirmation';
import { Banner, Button, DateText, Field, Icon, SkeletonLines, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { ErrorWords } from '../page/ErrorWords.tsx';
import { useKit } from '../kit/kit.ts';
import { ActNames } from './ActNames.tsx';
import { buttonWords } from './button-words.ts';
import { CodeInput } from './CodeInput.tsx';
import { canUsePasskeys, type Confirming, confirmingOf, provePasskey } from './confirming.ts';
import { kindWords } from './kind-words.ts';
import styles from './StepUpDialog.module.css';
import type { Asking, StepUps } from './step-ups.ts';

/**
 * Asks for a second factor over the page whose change needs one. It names the change first; the press that confirms it sends it. Escape, Cancel and any step away
 * give it up, and the page is as it was.
 */
export function StepUpDialog({ asking, stepUps, renew }: { asking: Asking; stepUps: StepUps; renew: () => Promise<boolean> }) {
  const { environment } = useKit();
  const own = isOwnProvider(environment);
  const [begun, setBegun] = useState<ConfirmationBegun | null>(null);
  const [refused, setRefused] = useState<ConfirmationRefusal | null>(null);
  // As the registry signed them; what a page of another origin hands on is read by the registry, too.
  const asked = asking.acts.map(({ challenge }) => challenge.asked ?? '').join(' ');
  const confirming = useMemo(() => confirmingOf(asked.split(' '), { renew }), [asked, renew]);
  useEffect(() => {
    if (!own) return;
    let gone = false;
    void confirming.begin().then(({ data, refused: why }) => {
      if (gone) return;
      setBegun(data ?? null);
      setRefused(why ?? null);
    });
    return () => {
      gone = true;
    };
  }, [own, confirming]);
  const described = useId();
  const close = stepUps.cancel;
  const renewDemoCode = () => void confirming.begin().then(({ data }) => data && setBegun(data));
  const parts = { asking, stepUps, confirming, onRefused: setRefused };
  return (
    <Dialog open onClose={close} title="Confirm that it’s you" role="alertdialog" describedBy={described}>
      <ActNames id={described} acts={asking.acts} said={begun?.acts ?? null} />
      {refused ? (
        <NotHere refused={refused} onClose={close} />
      ) : !own ? (
        <Elsewhere {...parts} host={new URL(environment.issuerUri).host} />
      ) : !begun ? (
        <>
          <SkeletonLines lines={2} />
          <Foot onCancel={close} />
        </>
      ) : begun.enrolled ? (
        <Factor {...parts} begun={begun} renewDemoCode={renewDemoCode} />
      ) : (
        <NoFactor {...parts} />
      )}
    </Dialog>
  );
}

/** Returns the place in which the first control gets the focus when it is drawn: the dialog takes it when it opens. */
function useFirstFocus<Place extends HTMLElement>() {
  const place = useRef<Place>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => place.current?.querySelector<HTMLElement>('[data-first]')?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  return place;
}

type Parts = { asking: Asking; stepUps: StepUps; confirming: Confirming; onRefused: (refusal: ConfirmationRefusal) => void };

function Foot({ onCancel, children }: { onCancel: () => void; children?: ReactNode }) {
  return (
    <div className={styles.foot}>
      {children}
      <Button onClick={onCancel}>Cancel</Button>
      <span className={styles.escape} aria-hidden="true">
        <kbd>Esc</kbd> cancels
      </span>
    </div>
  );
}

/** Says in short lines that nothing is lost, and that nothing is sent without a press. */
function Kept({ children }: { children?: ReactNode }) {
  return (
    <ul className={styles.kept}>
      <li>
        <Icon name="lock" />
        <span>Nothing has changed yet. It is sent when you confirm, and only this.</span>
      </li>
      <li>
        <Icon name="document" />
        <span>What you entered stays on the page.</span>
      </li>
      {children}
    </ul>
  );
}

function NotHere({ refused: { message }, onClose }: { refused: ConfirmationRefusal; onClose: () => void }) {
  return (
    <>
      <Banner kind="error">
        <ErrorWords message={message} />
      </Banner>
      <Kept />
      <Foot onCancel={onClose} />
    </>
  );
}

type Factors = Parts & {
  begun: ConfirmationBegun;
  /** Reads the present code of a demo person again: the one that was shown is over. */
  renewDemoCode: () => void;
};
type FactorField = 'code' | 'password' | 'passkey';
/** The fields that get the focus when their value is refused. */
type FactorFields = { codeField: RefObject<HTMLInputElement | null>; passwordField: RefObject<HTMLInputElement | null> };

/** The values of a factor, and how it is given: the confirmation goes to the change that waits for it, a refusal to its field. */
function useFactor({ asking, stepUps, confirming, onRefused, begun, renewDemoCode }: Factors, { codeField, passwordField }: FactorFields) {
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState<'code' | 'passkey' | null>(null);
  const [wrong, setWrong] = useState<{ field: 'code' | 'password' | 'passkey'; message: string } | null>(null);
  const device = useRef<AbortController>(null);
  useEffect(() => () => device.current?.abort(), []);
  const give = async (way: 'code' | 'passkey', given: GivenFactor): Promise<void> => {
    const { data, refused } = await confirming.confirm(given);
    setBusy(null);
    if (data) {
      // Used up, in case a change that came meanwhile is asked about next.
      setCode('');
      return stepUps.confirm(asking, {
        confirmation: data.confirmation,
        effects: begun.effects,
        account: begun.account,
        until: Date.now() + data.seconds * SECOND_MS,
      });
    }
    if (refused.why === 'session') return onRefused(refused);
    setWrong({ field: refused.field ?? way, message: refused.message });
    if (refused.field === 'code') setCode('');
    if (refused.field === 'code' && begun.demoCode !== null) renewDemoCode();
    (refused.field === 'password' ? passwordField : codeField).current?.focus();
  };
  const sendCode = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (begun.needsPassword && password === '') {
      setWrong({ field: 'password', message: 'Enter your password' });
      return passwordField.current?.focus();
    }
    if (code.length < 6) {
      setWrong({ field: 'code', message: 'Enter all six digits' });
      return codeField.current?.focus();
    }
    setBusy('code');
    setWrong(null);
    void give('code', { code, ...(begun.needsPassword && { password }) });
  };
  const givePasskey = async (): Promise<void> => {
    setBusy('passkey');
    setWrong(null);
    // Before the first answer, so that Cancel while it is awaited keeps the device from asking.
    device.current = new AbortController();
    const { signal } = device.current;
    const { data, refused } = await confirming.passkeyOptions();
    if (refused) {
      setBusy(null);
      return refused.why === 'session' ? onRefused(refused) : setWrong({ field: 'passkey', message: refused.message });
    }
    if (signal.aborted) return;
    try {
      const passkey = await provePasskey(data, signal);
      await give('passkey', { passkey });
    } catch {
      setBusy(null);
      setWrong({ field: 'passkey', message: 'No passkey was used: it was cancelled or took too long. Try again.' });
    }
  };
  const errorOf = (field: FactorField) => (wrong?.field === field ? wrong.message : undefined);
  return { code, setCode, password, setPassword, busy, errorOf, sendCode, givePasskey };
}

type Giving = ReturnType<typeof useFactor>;

/** A passkey. @param isFirst it is offered first */
const PasskeyWay = ({
  giving: { busy, errorOf, givePasskey },
  passkey,
  isFirst,
}: {
  giving: Giving;
  passkey: ConfirmationBegun['passkey'];
  isFirst: boolean;
}) => (
  <div className={styles.way}>
    <h3>Passkey</h3>
    <Button
      variant={isFirst ? 'commit' : undefined}
      icon="key"
      busy={busy === 'passkey'}
      data-first={isFirst || undefined}
      onClick={() => void givePasskey()}
    >
      Use passkey
    </Button>
    {errorOf('passkey') ? (
      <p className={styles.wrong} role="alert">
        <Icon name="invalid" /> <span>{errorOf('passkey')}</span>
      </p>
    ) : (
      passkey && (
        <p className={styles.help}>
          {passkey.name}
          {passkey.lastUsedAt && (
            <>
              , last used <DateText value={passkey.lastUsedAt} shape="date" />
            </>
          )}
        </p>
      )
    )}
  </div>
);

/** A one-time code, with the password where the login was by a passkey. @param act the words of the button */
const CodeWay = ({
  codeField,
  passwordField,
  giving,
  begun: { needsPassword, demoCode },
  label,
  act,
  isFirst,
}: FactorFields & {
  giving: Giving;
  begun: ConfirmationBegun;
  label: string;
  act: string;
  isFirst: boolean;
}) => (
  <form className={styles.way} onSubmit={giving.sendCode} noValidate>
    {needsPassword && (
      <Field label="Password" error={giving.errorOf('password')} help="You logged in with a passkey">
        <TextInput
          ref={passwordField}
          type="password"
          autoComplete="current-password"
          data-sentry-block=""
          data-first={isFirst || undefined}
          value={giving.password}
          onChange={event => giving.setPassword(event.target.value)}
        />
      </Field>
    )}
    <Field label={label} error={giving.errorOf('code')} help="Six digits from your authenticator app">
      <CodeInput ref={codeField} value={giving.code} isFirst={isFirst && !needsPassword} onChange={giving.setCode} />
    </Field>
    {demoCode !== null && <DemoCode code={demoCode} onFill={giving.setCode} />}
    <Button type="submit" variant={isFirst ? 'commit' : undefined} busy={giving.busy === 'code'}>
      {act}
    </Button>
  </form>
);

const LostDevice = ({ supportEmail }: { supportEmail: string }) => (
  <details className={styles.lost}>
    <summary>Lost your device?</summary>
    <p>
      A recovery code doesn’t confirm changes. Log out, log in with one, and add a new second factor. Or write to{' '}
      <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
    </p>
  </details>
);

/** A passkey or a code. */
function Factor({ asking, stepUps, confirming, onRefused, begun, renewDemoCode }: Factors) {
  const { environment } = useKit();
  const codeField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const place = useFirstFocus<HTMLDivElement>();
  const giving = useFactor({ asking, stepUps, confirming, onRefused, begun, renewDemoCode }, { codeField, passwordField });
  const { call, isForeign } = asking.acts[0];
  const name = asking.acts.length === 1 && call.act && !isForeign ? buttonWords(call.act.name, begun.acts[0]) : 'Confirm';
  const ways = begun.ways.filter(way => way === 'code' || canUsePasskeys());

  const passkey = ways.includes('passkey') && <PasskeyWay giving={giving} passkey={begun.passkey} isFirst={ways[0] === 'passkey'} />;
  const byCode = ways.includes('code') && (
    <CodeWay
      codeField={codeField}
      passwordField={passwordField}
      giving={giving}
      begun={begun}
      label={passkey ? 'Or a one-time code' : 'One-time code'}
      act={name}
      isFirst={ways[0] === 'code'}
    />
  );
  return (
    <div ref={place}>
      <p className={styles.who}>
        {begun.person}, logged in with {begun.by === 'password' ? 'a password' : 'a passkey'} at{' '}
        <DateText value={begun.since} shape="time" />
      </p>
      {ways.length === 0 ? (
        <Banner kind="warning">
          Your second factors can’t be used here. <a href={environment.profileUrl}>Your login</a> says which are switched off.
        </Banner>
      ) : (
        <div className={styles.ways} data-both={passkey && byCode ? '' : undefined}>
          {begun.ways[0] === 'passkey' ? passkey : byCode}
          {begun.ways[0] === 'passkey' ? byCode : passkey}
        </div>
      )}
      <Kept>
        <li>
          <Icon name="clock" />
          <span>
            Then good for {kindWords(begun.effects)}
            {begun.account !== null && ` of ${begun.account}`} in this tab for{' '}
            {begun.minutes === 1 ? '1 minute' : `${begun.minutes} minutes`}. Anything else asks again.
          </span>
        </li>
      </Kept>
      <LostDevice supportEmail={environment.supportEmail} />
      <Foot onCancel={stepUps.cancel} />
    </div>
  );
}

/** In the demo registry the codes of its people are public. */
function DemoCode({ code, onFill }: { code: string; onFill: (code: string) => void }) {
  return (
    <p className={styles.help}>
      Demo:{' '}
      {code === '' ? (
        'the next code comes within 30 seconds. Cancel and try again then.'
      ) : (
        <button type="button" className={styles.demo} data-code={code} onClick={() => onFill(code)}>
          use {code.slice(0, 3)} {code.slice(3)}
        </button>
      )}
    </p>
  );
}

/** A person without a second factor gives the password here, and adds a factor at the provider. */
function NoFactor({ asking, stepUps, confirming, onRefused }: Parts) {
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const place = useFirstFocus<HTMLFormElement>();
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    if (password === '') {
      setWrong('Enter your password');
      return field.current?.focus();
    }
    setBusy(true);
    const { refused } = await confirming.givePassword(password);
    if (!refused) return stepUps.leave(asking);
    setBusy(false);
    if (refused.why === 'session') return onRefused(refused);
    setWrong(refused.message);
    field.current?.focus();
  };
  const many = asking.acts.length > 1;
  return (
    <form ref={place} onSubmit={event => void send(event)} noValidate className={styles.alone}>
      <p>
        This needs two-factor authentication, which your login doesn’t have yet. It takes a minute, with a passkey or an authenticator app.
        You then come back to this page and decide about {many ? 'these changes' : 'this change'} again.
      </p>
      <Field label="Your password" error={wrong}>
        <TextInput
          ref={field}
          type="password"
          autoComplete="current-password"
          data-sentry-block=""
          data-first
          value={password}
          onChange={event => setPassword(event.target.value)}
        />
      </Field>
      <Kept />
      <Foot onCancel={stepUps.cancel}>
        <Button type="submit" variant="primary" busy={busy}>
          Set up two-factor
        </Button>
      </Foot>
    </form>
  );
}

/** People log in at another provider, which asks for the factor itself. */
function Elsewhere({ asking, stepUps, host }: Parts & { host: string }) {
  const [busy, setBusy] = useState(false);
  const place = useFirstFocus<HTMLDivElement>();
  return (
    <div ref={place} className={styles.alone}>
      <p>
        <b>{host}</b>, where you log in, asks for your second factor. Then you come back to this page and are asked about this once more.
      </p>
      <Kept />
      <Foot onCancel={stepUps.cancel}>
        <Button
          variant="primary"
          icon="external"
          busy={busy}
          data-first
          onClick={() => {
            setBusy(true);
            stepUps.leave(asking);
          }}
        >
          Go to {host}
        </Button>
      </Foot>
    </div>
  );
}
