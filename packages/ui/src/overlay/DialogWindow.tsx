import { type ReactNode, useEffect, useRef } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from '../action/Button.tsx';
import styles from './Dialog.module.css';
import { useDimming } from './dimming.tsx';

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Buttons, the act first. */
  footer?: ReactNode;
  /** A decision that must be made: a press outside does not close it. */
  role?: 'dialog' | 'alertdialog';
  size?: 'm' | 'l';
  /** Id of the text inside that is read first. */
  describedBy?: string;
  children?: ReactNode;
};

/** Controls that text is entered into, or a value is chosen with. */
const fields = 'form :is(input:not([type=radio], [type=checkbox], [type=file], [type=hidden]), textarea, select):not(:disabled)';

/**
 * The body of a dialog. The first field of a form in it has the focus, which otherwise is two keys away, behind the button that closes the dialog. A decision keeps it: its words are read
 * first. So does a screen that is touched: its keyboard would cover the words.
 */
function Body({ takesFocus, children }: { takesFocus: boolean; children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!takesFocus || matchMedia('(pointer: coarse)').matches) return;
    // The dialog takes it first, when it is in the document.
    const frame = requestAnimationFrame(() => {
      const within = body.current;
      if (within && !within.contains(document.activeElement)) within.querySelector<HTMLElement>(fields)?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [takesFocus]);
  return (
    <div ref={body} className={styles.body}>
      {children}
    </div>
  );
}

/** The window of a dialog: the only part of one that needs React Aria. */
export function DialogWindow({ open, onClose, title, footer, role = 'dialog', size = 'm', describedBy, children }: DialogProps) {
  useDimming(open);
  return (
    <ModalOverlay
      className={styles.scrim ?? ''}
      isOpen={open}
      onOpenChange={isOpen => !isOpen && onClose()}
      isDismissable={role === 'dialog'}
    >
      <Modal className={styles.modal ?? ''} data-size={size}>
        <AriaDialog className={styles.dialog ?? ''} role={role} {...(describedBy && { 'aria-describedby': describedBy })}>
          <div className={styles.head}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {role === 'dialog' && <Button variant="quiet" size="s" icon="close" aria-label="Close" onClick={onClose} />}
          </div>
          <Body takesFocus={role === 'dialog'}>{children}</Body>
          {footer && <div className={styles.foot}>{footer}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
