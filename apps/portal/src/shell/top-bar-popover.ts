import { useRef, useState } from 'react';

/**
 * Returns what a button of the top bar and the popover it opens share. The code of the popover is on its way once pointer or focus come near,
 * and is drawn from the first opening on, so that it can close gently.
 */
export function useTopBarPopover(ahead: () => void) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const lost = () => {
    setOpen(false);
    setWanted(false);
  };
  return {
    isWanted,
    button: {
      ref: trigger,
      'aria-expanded': open,
      onPointerEnter: ahead,
      onFocus: ahead,
      onClick: () => {
        setWanted(true);
        setOpen(!open);
      },
    },
    popover: { triggerRef: trigger, open, onOpenChange: setOpen, onLost: lost },
  };
}
