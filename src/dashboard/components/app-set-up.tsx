/** How somebody adds the service to an authenticator app: a QR code, and the same as text. */
import { setUpKey, setUpUri } from '../../accounts/totp.ts';
import { Card } from './card.tsx';
import { QrCode } from './qr-code.tsx';
import { CopyButton } from './snippet.tsx';

export interface AppSetUpProps {
  email: string;
  secret: Uint8Array;
  /** Whose codes these are, as the app lists them. */
  issuer: string;
}

export function AppSetUp(props: AppSetUpProps) {
  const uri = setUpUri(props);
  return (
    <Card id="scan-head" title="1. Add Verbatim to the app">
      <p>Scan this code with the app, or type the setup key.</p>
      <QrCode text={uri} label="QR code with the setup key below" />
      <div>
        <div class="snippet-bar">
          <span>Setup key</span>
          <CopyButton of="setup-key" what="the setup key" />
        </div>
        <p class="secret" id="setup-key">
          {setUpKey(props.secret)}
        </p>
      </div>
      <p class="small soft">
        On this device, <a href={uri}>open the key in your app</a>. It generates time-based codes of
        6 digits.
      </p>
    </Card>
  );
}
