// The board's component: waits for the library, then hands over. Kept short, because it is sent with every edit.
export default function (component) {
  const place = component.parentElement;
  place.moot = component; // the newest data, should the library come later
  const start = () => globalThis.mootBoard?.(place.moot, globalThis.mootStyles) ?? Boolean(globalThis.mootBoard);
  const timer = start() ? 0 : setInterval(() => start() && clearInterval(timer), 10);
  return () => {
    clearInterval(timer);
    const root = place.querySelector(".board");
    root?.moot?.destroy();
    if (root) delete root.moot;
  };
}
