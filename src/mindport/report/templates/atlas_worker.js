// A page opened from disk may not start a Worker. There, and only there, one is a frame without a picture:
// the same script, in the page's own thread. The theme would load such a stand-in from the network.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super()
      this.onmessage = null
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.documentElement.append(this.frame)
      this.scope = this.frame.contentWindow
      this.scope.postMessage = data => {
        const event = new MessageEvent("message", { data })
        this.dispatchEvent(event)
        if (this.onmessage) this.onmessage(event)
      }
      this.scope.importScripts = (...addresses) => Promise.all(addresses.map(each => this.load(each)))
      this.ready = this.load(new URL(address, document.baseURI).href)
    }
    load(address) {
      return new Promise((done, failed) => {
        const script = this.scope.document.createElement("script")
        script.onload = done
        script.onerror = failed
        script.src = address
        this.scope.document.documentElement.append(script)
      })
    }
    postMessage(data) {
      this.ready.then(() => this.scope.dispatchEvent(new this.scope.MessageEvent("message", { data })))
    }
    terminate() {
      this.frame.remove()
    }
  }
}
