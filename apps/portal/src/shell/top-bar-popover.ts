import { useRef, useState } from 'react';

/**
 * Returns the shared state of a top bar button and its popover. The popover's code is loaded when pointer or focus come near, and it stays rendered
 * after the first opening, so that closing can be animated.
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
