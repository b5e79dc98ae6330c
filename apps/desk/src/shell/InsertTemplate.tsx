import { reading, useKit } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { fillTemplate, type Placeholder, type ReplyKind, replyTemplates } from '@portal/contract/staff/reply-templates';
import { Banner, Link } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useRef, useState } from 'react';
import { ChooseThen } from './ChooseThen.tsx';
import { useMay } from './use-may.ts';

/** Subject of an answer: the kind that texts are offered for, and the values of their placeholders; null where one isn’t known. */
export type ReplyAbout = { kind: ReplyKind } & Readonly<Record<Placeholder, string | null>>;

/** Subject of the answers within. Without it no texts are offered. */
export const ReplyContext = createContext<ReplyAbout | null>(null);

/**
 * Offers the texts that registry staff keep for such answers. One that is chosen is added below what is written already.
 * @param text what is written
 */
export function InsertTemplate({ text, onInsert }: { text: string; onInsert: (text: string) => void }) {
  const about = useContext(ReplyContext);
  return about && <Offer about={about} text={text} onInsert={onInsert} />;
}

/** Leads to the list from the fields of its form by Ctrl and `.`, as on other desks: letters are typed there. */
function useTemplateKey(onAsked: () => void) {
  const around = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const form = around.current?.closest('form');
    const lead = (event: KeyboardEvent) => {
      if (event.key !== '.' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      const list = around.current?.querySelector('select');
      if (list) list.focus();
      else onAsked();
    };
    form?.addEventListener('keydown', lead);
    return () => form?.removeEventListener('keydown', lead);
  });
  /** Gives the focus to the text, behind what was inserted. */
  const leaveToText = () =>
    requestAnimationFrame(() => {
      const field = around.current?.closest('form')?.querySelector('textarea');
      field?.focus();
      field?.setSelectionRange(field.value.length, field.value.length);
    });
  return { around, leaveToText };
}

function Offer({ about, text, onInsert }: { about: ReplyAbout; text: string; onInsert: (text: string) => void }) {
  const { call } = useKit();
  const [isAsked, setAsked] = useState(false);
  const { around, leaveToText } = useTemplateKey(() => setAsked(true));
  // An answer can be written without them: neither their loading nor their failure is in its way.
  const { data } = useQuery(reading(call, replyTemplates.listReplyTemplates, {}));
  const [missing, setMissing] = useState<readonly Placeholder[]>([]);
  const offered = data?.templates.filter(({ kinds }) => kinds.includes(about.kind)) ?? [];
  if (offered.length === 0)
    return <div ref={around}>{isAsked && data && <NoTemplates onClose={() => (setAsked(false), leaveToText())} />}</div>;
  const insert = (templateId: string): void => {
    const template = offered.find(each => each.templateId === templateId);
    if (!template) return;
    const filled = fillTemplate(template.text, about);
    setMissing(filled.missing);
    onInsert(text.trim() === '' ? filled.text : `${text.trimEnd()}\n\n${filled.text}`);
    leaveToText();
  };
  const left = missing.filter(name => text.includes(`{${name}}`));
  return (
    <div ref={around}>
      <ChooseThen
        label="Reply template"
        act="Insert"
        keys="Control+."
        help={
          left.length > 0 ? (
            `Nothing is known for ${left.map(name => `{${name}}`).join(' and ')}: replace it yourself.`
          ) : (
            <>
              It’s added to the text. <Link href={pages.deskReplyTemplates.path}>Keep templates</Link>
            </>
          )
        }
        value=""
        options={[
          { value: '', label: 'Choose one to insert' },
          ...offered.map(({ templateId, title }) => ({ value: templateId, label: title })),
        ]}
        onAct={insert}
      />
    </div>
  );
}

/** The answer to the key of the list where there are no templates, with the way to the first one. It has the focus, and Escape leads back to the text. */
function NoTemplates({ onClose }: { onClose: () => void }) {
  const may = useMay();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => (box.current?.querySelector('a') ?? box.current)?.focus(), []);
  return (
    <Banner kind="info">
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape leaves it, as it leaves a menu */}
      <div
        ref={box}
        tabIndex={-1}
        onKeyDown={event => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          onClose();
        }}
      >
        No reply templates for cases like this yet.{' '}
        {may(replyTemplates.addReplyTemplate) && <Link href={pages.deskReplyTemplates.path}>Add a template</Link>}
      </div>
    </Banner>
  );
}
