import { describeEffectDriver } from '@hilo/testing/contracts';
import { openDatabaseStage } from './stages/database-stage.ts';
import { openHttpStage, openModelStage, openSoapStage, openStripeStage } from './stages/http-stages.ts';
import { openCodeStage, openFunctionStage } from './stages/sandbox-stages.ts';

const everything = ['babbles', 'breaks', 'floods', 'repeats'] as const;

describeEffectDriver('http', openHttpStage, { otherSide: everything });
describeEffectDriver('soap', openSoapStage, { otherSide: everything });
describeEffectDriver('model', openModelStage, { otherSide: everything });
describeEffectDriver('stripe', openStripeStage, { otherSide: everything });
describeEffectDriver('database', openDatabaseStage, { otherSide: everything, carriesKey: false });
describeEffectDriver('function', openFunctionStage, { otherSide: ['babbles', 'breaks', 'floods'] });
describeEffectDriver('code', openCodeStage, { otherSide: everything, carriesKey: false });
