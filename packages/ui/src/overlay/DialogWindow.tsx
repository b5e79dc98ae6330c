import type { ReactNode } from 'react';
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
          <div className={styles.body}>{children}</div>
          {footer && <div className={styles.foot}>{footer}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
